package dev.leasehold.rounds;

import dev.leasehold.Lease;
import java.sql.Connection;
import java.time.Instant;

/**
 * What the work of a round may ask while it runs.
 *
 * @param round the round's name, without the node
 * @param lease the lease this run holds; the round releases it, not the work: a run whose work does has failed
 * @param slot the instant this run counts for, by the database's clock; of an extra run the instant it was acquired
 * @param previousDied whether the holder before this run died without a release
 * @param extra whether this is an extra run, which never counts
 */
public record RoundContext(String round, Lease lease, Instant slot, boolean previousDied, boolean extra) {

    /** The lease's fence: larger in every later run. */
    public long fence() {
        return lease.fence();
    }

    /** Whether the lease is held: see {@link Lease#isHeld()}. */
    public boolean isHeld() {
        return lease.isHeld();
    }

    /** Throws {@link dev.leasehold.LeaseLostException} if the lease is not known to be held. */
    public void checkHeld() {
        lease.checkHeld();
    }

    /**
     * Counts the slot and ends the lease in a transaction of the work's own: both come true with its commit. What {@link
     * Promise#EXACTLY_ONCE} needs, as the last thing before the commit. See {@link Lease#finish}.
     */
    public void finish(Connection connection) {
        lease.finish(connection);
    }
}
