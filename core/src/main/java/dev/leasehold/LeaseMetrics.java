package dev.leasehold;

import java.time.Duration;

/**
 * Told what is counted and timed about the leases of one {@link Leases}. Every method does nothing by default.
 *
 * <p>Called on the threads that do the work, several at a time, and at once: an implementation is thread-safe, quick, and
 * does no I/O. What it throws is logged and changes nothing. What becomes of single leases is told to a {@link
 * LeaseListener}.
 */
public interface LeaseMetrics {

    /**
     * A lease was acquired.
     *
     * @param takenOver whether the holder before had died without a release
     */
    default void acquired(String name, boolean takenOver) {}

    /** An attempt was refused: another holds the lease. */
    default void refused(String name) {}

    /** An attempt failed: its outcome is unknown, or the database answered with an error. */
    default void failed(String name) {}

    /** A lease was lost, found out by its renewal or its release; told once for each. */
    default void lost(String name, LossReason reason) {}

    /** A lease was released by its holder. */
    default void released(String name) {}

    /**
     * A statement renewed leases.
     *
     * @param leases how many of those that were sent were renewed
     * @param took from the send to the answer, waiting for a connection included
     */
    default void renewed(int leases, Duration took) {}

    /** A statement that should have renewed leases failed; it is repeated. */
    default void renewalFailed(int leases, Duration took) {}
}
