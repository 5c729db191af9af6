package dev.leasehold;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How a lease is released. */
sealed interface Ending {

    /** Of a plain lease: need not wait for the disk. */
    record Plain() implements Ending {}

    /**
     * Of a lease that was acquired for a slot, without a stamp.
     *
     * @param isBegun whether something was begun under it
     */
    record Uncounted(boolean isBegun) implements Ending {}

    /**
     * And the last counted slot of its row is set.
     *
     * @param doneSlot empty if no slot is counted from then on
     * @param isBegun as of {@link Uncounted}
     */
    record Stamped(Optional<Instant> doneSlot, boolean isBegun) implements Ending {}

    /** Without a stamp, and nobody may acquire it for a while. */
    record Rested(Duration rest) implements Ending {}
}
