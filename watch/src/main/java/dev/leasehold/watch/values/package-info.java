/** Values that come from outside, checked once, with the rule in the message. */
@NullMarked
package dev.leasehold.watch.values;

import org.jspecify.annotations.NullMarked;
