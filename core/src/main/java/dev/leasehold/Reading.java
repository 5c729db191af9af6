package dev.leasehold;

import java.time.Instant;

/**
 * Both clocks of this machine, read at one moment. The monotonic one measures; the wall clock only notices a suspend.
 *
 * @param monotonicNanos of {@link System#nanoTime()}: only differences mean something
 */
record Reading(long monotonicNanos, Instant wall) {}
