package dev.leasehold;

import java.time.Instant;
import java.util.Optional;

/**
 * A run of a round as the {@link RunHistory} tells of it: one acquisition of its lease. All instants are the database's.
 *
 * @param lease the name of its lease: for node scope {@code round@node}
 * @param fence the lease's fence: no two runs of a lease have the same
 * @param round the round's name
 * @param node the node it ran on; empty for one that died before it could be written down, as {@code slot}
 * @param slot the slot it ran for; of an extra run the instant it was acquired
 * @param extra whether it was an extra run, which never counts
 * @param holder who held the lease
 * @param startedAt when it began
 * @param endedAt when it ended, or was found dead; empty while it runs
 * @param outcome how it ended, a name of {@code RoundOutcome}; empty while it runs. Stays empty if its process died right after
 *     the lease was released, for then nobody takes it over
 * @param counted whether its slot is counted, so that it is not due again
 * @param error what the work threw, 2,000 characters at most
 */
public record RecordedRun(
        String lease,
        long fence,
        String round,
        Optional<String> node,
        Optional<Instant> slot,
        boolean extra,
        String holder,
        Instant startedAt,
        Optional<Instant> endedAt,
        Optional<String> outcome,
        boolean counted,
        Optional<String> error) {}
