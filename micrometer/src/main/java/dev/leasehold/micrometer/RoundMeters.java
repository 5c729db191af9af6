package dev.leasehold.micrometer;

import dev.leasehold.rounds.RoundOutcome;
import dev.leasehold.rounds.RoundRun;
import dev.leasehold.rounds.SkipReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumSet;

/** What is counted and timed about the runs of one round on this instance. Thread-safe. */
final class RoundMeters {

    private final CountersBy<RoundOutcome> runs;
    private final Counter counted;
    private final Counter failures;
    private final Counter died;
    private final CountersBy<SkipReason> skipped;
    private final Timer duration;
    private final Timer lateness;

    RoundMeters(MeterRegistry registry, String round) {
        this.runs = new CountersBy<>(
                RoundOutcome.class,
                EnumSet.complementOf(EnumSet.of(RoundOutcome.DIED)), // a run of another, only found by this instance
                outcome -> counter("runs", "runs that ended on this instance: attempts, whether they count or not")
                        .tags("round", round, "outcome", outcome)
                        .register(registry));
        this.counted = counter("counted", "of the runs, those whose slot is counted, so that it is not due again")
                .tag("round", round)
                .register(registry);
        this.failures = counter("failures", "of the runs, those that failed, timed out, or were given up")
                .tag("round", round)
                .register(registry);
        this.died = counter("died", "holders found dead in mid-run by the run that took over")
                .tag("round", round)
                .register(registry);
        this.skipped = new CountersBy<>(
                SkipReason.class,
                EnumSet.allOf(SkipReason.class),
                reason -> counter(
                                "skipped", "slots that passed without a run, as far as this instance has to do with it")
                        .tags("round", round, "reason", reason)
                        .register(registry));
        this.duration = timer("duration", "how long the runs took whose work was begun")
                .tag("round", round)
                .register(registry);
        this.lateness = timer("lateness", "how long after their slot those runs began; extra runs have none")
                .tag("round", round)
                .register(registry);
    }

    private static Counter.Builder counter(String name, String meaning) {
        return Counter.builder("leasehold.rounds." + name).description(meaning);
    }

    private static Timer.Builder timer(String name, String meaning) {
        return Timer.builder("leasehold.rounds." + name).description(meaning);
    }

    void ended(RoundRun run) {
        runs.add(run.outcome(), 1);
        if (run.counted()) {
            counted.increment();
        }
        if (run.isFailure()) {
            failures.increment();
        }
        if (run.begun()) {
            duration.record(run.duration());
            if (!run.extra()) {
                lateness.record(run.lateness());
            }
        }
    }

    void died() {
        died.increment();
    }

    void skipped(long slots, SkipReason reason) {
        skipped.add(reason, slots);
    }
}
