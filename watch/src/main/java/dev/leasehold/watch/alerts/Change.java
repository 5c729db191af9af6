package dev.leasehold.watch.alerts;

import org.jspecify.annotations.Nullable;

/**
 * A transition to be recorded.
 *
 * @param from null for the first state ever
 * @param seq one more than that of the transition before; the first is 1
 * @param told whether it is delivered to anyone, or recorded only
 */
record Change(@Nullable State from, State to, long seq, String detail, boolean told) {}
