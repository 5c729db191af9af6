package dev.leasehold;

import java.time.Duration;
import java.util.Optional;

/**
 * The answer to one attempt to acquire a lease.
 *
 * <p>Not getting a lease is an answer, not an error. An attempt whose outcome is unknown (the database was out of
 * reach, or did not answer in time) is reported by a {@link LeaseException} and is never held.
 */
public sealed interface Acquisition {

    /** The lease, if this attempt acquired it. */
    default Optional<Lease> lease() {
        return this instanceof Acquired acquired ? Optional.of(acquired.held()) : Optional.empty();
    }

    /** The lease was free and is now held by the caller, who releases it. */
    record Acquired(Lease held) implements Acquisition {}

    /**
     * Another holds the lease, or is taking it at this moment.
     *
     * @param holder who holds it; empty if a race left that unknown, or the lease rests
     * @param timeLeft how long yet, by the database's clock, if it is not renewed; empty if unknown or without
     *     end, never zero or less
     * @param nextSlotIn the time until the next slot of the asked {@link Schedule}; empty if none was asked, or unknown
     * @param isDue whether that schedule's slot of now has had no counted run yet, always with {@link Stamp#NEVER}; false if none
     *     was asked, or unknown
     * @param heldHere whether it is these very {@link Leases} that hold it, by an earlier acquisition
     */
    record Busy(
            Optional<String> holder,
            Optional<Duration> timeLeft,
            Optional<Duration> nextSlotIn,
            boolean isDue,
            boolean heldHere)
            implements Acquisition {}

    /**
     * The lease is free, but the slot of the asked {@link Schedule} has had its counted run, or no slot has come yet.
     *
     * @param nextSlotIn the time until the next slot, by the database's clock; {@link Slot#NO_MORE} if the schedule has none
     */
    record NotDue(Duration nextSlotIn) implements Acquisition {}

    /**
     * The lease is free, but an operator has paused the round. Plain leases are never paused.
     *
     * @param reason what the operator gave as the reason
     * @param nextSlotIn as of {@link NotDue}
     */
    record Paused(String reason, Duration nextSlotIn) implements Acquisition {}
}
