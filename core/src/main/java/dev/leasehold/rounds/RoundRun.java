package dev.leasehold.rounds;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One attempt to run a round, ended: its lease was acquired. Immutable.
 *
 * @param round the round's name
 * @param leaseName the name of its lease: for node scope {@code round@node}
 * @param node the node it ran on, empty if unknown: the run of a holder that died
 * @param holder who held the lease
 * @param fence the lease's fence: no two runs of a lease have the same
 * @param slot the slot it ran for; for an extra run the instant it was acquired; empty if unknown
 * @param extra whether it was an extra run, which never counts
 * @param begun whether its work was called; if not, it was given up, or stopped or lost just before. Of a holder that died it is
 *     not known, and taken for true
 * @param started by this machine's clock; by the database's for the run of a holder that died
 * @param ended as {@code started}: when it was found dead
 * @param lateness how long after its slot it was acquired, by the database's clock
 * @param outcome how it ended
 * @param counted whether its slot is known to be counted by this run, so that it is not due again; not where the release could
 *     not be completed at once and goes on in the background. Of a holder that died what the round's promise says, for its taker
 *     does not know whether that was an extra run
 * @param error what the work threw, as text
 */
public record RoundRun(
        String round,
        String leaseName,
        Optional<String> node,
        String holder,
        long fence,
        Optional<Instant> slot,
        boolean extra,
        boolean begun,
        Instant started,
        Instant ended,
        Duration lateness,
        RoundOutcome outcome,
        boolean counted,
        Optional<String> error) {

    /** Whether the work failed, timed out, or was given up. */
    public boolean isFailure() {
        return switch (outcome) {
            case FAILED, TIMED_OUT, GIVEN_UP -> true;
            case DONE, STOPPED, LOST, DIED -> false;
        };
    }

    /** How long it took. */
    public Duration duration() {
        return Duration.between(started, ended);
    }
}
