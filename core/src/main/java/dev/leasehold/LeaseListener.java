package dev.leasehold;

import java.time.Duration;

/**
 * Told what becomes of the leases of one {@link Leases}. Every method does nothing by default.
 *
 * <p>Calls come from the thread that acquires or releases, and from the renewal thread; they should return at once. What a
 * listener throws is logged and changes nothing.
 */
public interface LeaseListener {

    /** Acquired. */
    default void gained(Lease lease) {}

    /** A renewal failed; it is tried again before {@code timeLeft}, the time until the own deadline, has passed. */
    default void renewalFailed(Lease lease, Duration timeLeft) {}

    /**
     * The own deadline passed without a confirmed renewal. Told by the renewal thread, soon after; {@link Lease#isHeld()} is
     * never late.
     */
    default void unconfirmed(Lease lease) {}

    /** An unconfirmed lease was renewed after all: nobody had taken it over. */
    default void reconfirmed(Lease lease) {}

    /** The row is gone, released or another's. */
    default void lost(Lease lease) {}

    /** Released by its holder. */
    default void released(Lease lease) {}
}
