package dev.leasehold.rounds;

import dev.leasehold.DeadHolder;
import dev.leasehold.RunEnd;
import dev.leasehold.RunHistory;
import dev.leasehold.internal.SafeLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells a {@link RunHistory} of the runs. A dead one is told by its taker, who does not know all of it. Thread-safe. */
final class RoundHistory implements RunLog {

    private static final Logger log = LoggerFactory.getLogger(Rounds.class);

    private final RunHistory history;

    RoundHistory(RunHistory history) {
        this.history = history;
    }

    @Override
    public void began(RoundContext context, String node) {
        tell(context.round(), () -> history.began(context.lease(), context.round(), node));
    }

    @Override
    public void ended(RoundRun run) {
        tell(run.round(), () -> {
            if (run.outcome() == RoundOutcome.DIED) {
                var dead = new DeadHolder(run.holder(), run.fence(), run.started());
                history.died(run.round(), run.leaseName(), dead, run.counted());
            } else {
                history.ended(end(run));
            }
        });
    }

    private static RunEnd end(RoundRun run) {
        return new RunEnd(
                run.leaseName(),
                run.fence(),
                run.round(),
                run.node().orElseThrow(),
                run.slot(),
                run.extra(),
                run.holder(),
                run.duration(),
                run.outcome().name(),
                run.counted(),
                run.error());
    }

    private static void tell(String round, Runnable write) {
        try {
            write.run();
        } catch (Throwable thrown) {
            SafeLog.error(log, "the history of round " + round + " threw", thrown);
        }
    }
}
