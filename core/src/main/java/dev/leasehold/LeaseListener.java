package dev.leasehold;

import java.time.Duration;

/**
 * Told what becomes of the leases of one {@link Leases}, or of one {@link Holding}. Every method does nothing by default.
 *
 * <p>All calls come from one thread of the leases, or of the holding, one after the other in the order of the events, so a
 * listener that hangs keeps the later events from all listeners there, and nothing else from anybody. What it throws is
 * logged and changes nothing. The call comes soon after the event, and {@link Lease#isHeld()} is never late.
 */
public interface LeaseListener {

    /** Acquired. */
    default void gained(Lease lease) {}

    /** A renewal failed; it is tried again before {@code timeLeft}, the time until the own deadline, has passed. */
    default void renewalFailed(Lease lease, Duration timeLeft) {}

    /**
     * Renewed, but a whole period or more after it was due: the database was slow or away, or the row locked.
     *
     * @param late how much later than planned
     */
    default void renewedLate(Lease lease, Duration late) {}

    /** The own deadline passed without a confirmed renewal. */
    default void unconfirmed(Lease lease) {}

    /** An unconfirmed lease was renewed after all: nobody had taken it over. Told after {@link #renewedLate}. */
    default void reconfirmed(Lease lease) {}

    /** Another may hold the name; this lease never comes back. */
    default void lost(Lease lease, LossReason reason) {}

    /** Released by its holder. */
    default void released(Lease lease) {}
}
