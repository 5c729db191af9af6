package dev.leasehold.rounds;

import dev.leasehold.Lease;
import java.time.Instant;

/**
 * What the work of a round may ask while it runs.
 *
 * @param round the round's name, without the node
 * @param lease the lease this run holds
 * @param slot the grid instant this run counts for, by the database's clock
 * @param previousDied whether the holder before this run died without a release
 */
public record RoundContext(String round, Lease lease, Instant slot, boolean previousDied) {

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
}
