package dev.leasehold;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a run says of itself when it has ended, for the {@link RunHistory}. As {@link RecordedRun}, except that a run knows how
 * long it took, and not when that was by the database's clock.
 *
 * @param lease the name of its lease
 * @param fence the lease's fence
 * @param round the round's name
 * @param node the node it ran on
 * @param slot the slot it ran for
 * @param extra whether it was an extra run
 * @param holder who held the lease
 * @param took from its begin to its end
 * @param outcome how it ended
 * @param counted whether its slot is counted
 * @param error what the work threw; what PostgreSQL cannot keep of it is escaped, and the end cut
 */
public record RunEnd(
        String lease,
        long fence,
        String round,
        String node,
        Optional<Instant> slot,
        boolean extra,
        String holder,
        Duration took,
        String outcome,
        boolean counted,
        Optional<String> error) {

    /** @throws IllegalArgumentException for names that PostgreSQL cannot keep, and a negative duration */
    public RunEnd {
        LeaseName.check(lease);
        LeaseName.check(round);
        LeaseName.check(node);
        if (took.isNegative()) {
            throw new IllegalArgumentException("took is " + took + ", but must not be negative");
        }
    }
}
