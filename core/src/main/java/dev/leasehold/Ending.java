package dev.leasehold;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How a lease is released. */
sealed interface Ending {

    /** Without a stamp: need not wait for the disk. */
    record Plain() implements Ending {}

    /**
     * And the last counted slot of its row is set.
     *
     * @param doneSlot empty if no slot is counted from then on
     */
    record Stamped(Optional<Instant> doneSlot) implements Ending {}

    /** Without a stamp, and nobody may acquire it for a while. */
    record Rested(Duration rest) implements Ending {}
}
