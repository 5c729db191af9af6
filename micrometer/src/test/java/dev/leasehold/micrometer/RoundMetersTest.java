package dev.leasehold.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.rounds.RoundOutcome;
import dev.leasehold.rounds.RoundRun;
import dev.leasehold.rounds.SkipReason;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Which meters a run moves, by its outcome. */
class RoundMetersTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LeaseholdMeters meters = new LeaseholdMeters(registry);

    /** Took two seconds, three seconds after its slot. */
    private static RoundRun run(RoundOutcome outcome, boolean counted, boolean extra) {
        return run(outcome, counted, extra, outcome != RoundOutcome.GIVEN_UP);
    }

    private static RoundRun run(RoundOutcome outcome, boolean counted, boolean extra, boolean begun) {
        Instant started = Instant.parse("2026-01-01T00:00:03Z");
        return new RoundRun(
                "prices",
                "prices",
                Optional.of("node"),
                "holder",
                1,
                Optional.of(Instant.parse("2026-01-01T00:00:00Z")),
                extra,
                begun,
                started,
                started.plusSeconds(2),
                Duration.ofSeconds(3),
                outcome,
                counted,
                Optional.empty());
    }

    private double count(String name) {
        return registry.get("leasehold.rounds." + name)
                .tag("round", "prices")
                .counter()
                .count();
    }

    private double seconds(String timer) {
        return registry.get("leasehold.rounds." + timer)
                .tag("round", "prices")
                .timer()
                .totalTime(TimeUnit.SECONDS);
    }

    private double runs(RoundOutcome outcome) {
        return registry.get("leasehold.rounds.runs")
                .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                .counter()
                .count();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "DIED")
    void aRunIsCountedUnderItsOutcomeOnly(RoundOutcome outcome) {
        meters.ended(run(outcome, false, false));
        assertThat(runs(outcome)).isEqualTo(1);
        assertThat(registry.get("leasehold.rounds.runs").counters().stream()
                        .mapToDouble(one -> one.count())
                        .sum())
                .isEqualTo(1);
    }

    @Test
    void attemptsAndCountedRunsAreDifferentMeters() {
        meters.ended(run(RoundOutcome.DONE, true, false));
        meters.ended(run(RoundOutcome.DONE, false, true));
        meters.ended(run(RoundOutcome.LOST, false, false));
        assertThat(runs(RoundOutcome.DONE)).isEqualTo(2);
        assertThat(runs(RoundOutcome.LOST)).isEqualTo(1);
        assertThat(count("counted")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "DIED")
    void failuresAreRunsThatFailedTimedOutOrWereGivenUp(RoundOutcome outcome) {
        meters.ended(run(outcome, false, false));
        boolean isFailure =
                outcome == RoundOutcome.FAILED || outcome == RoundOutcome.TIMED_OUT || outcome == RoundOutcome.GIVEN_UP;
        assertThat(count("failures")).isEqualTo(isFailure ? 1 : 0);
    }

    @Test
    void aRunIsTimedAndSoIsItsLateness() {
        meters.ended(run(RoundOutcome.FAILED, true, false));
        assertThat(seconds("duration")).isEqualTo(2);
        assertThat(seconds("lateness")).isEqualTo(3);
    }

    @Test
    void anExtraRunIsNeverLate() {
        meters.ended(run(RoundOutcome.DONE, false, true));
        assertThat(seconds("duration")).isEqualTo(2);
        assertThat(seconds("lateness")).isZero();
    }

    @Test
    void whatWasGivenUpTookNoTime() {
        meters.ended(run(RoundOutcome.GIVEN_UP, true, false));
        assertThat(count("counted")).isEqualTo(1);
        assertThat(registry.get("leasehold.rounds.duration").timer().count()).isZero();
        assertThat(registry.get("leasehold.rounds.lateness").timer().count()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"STOPPED", "LOST"})
    void whatWasNotBegunTookNoTimeAndWasNotLate(RoundOutcome outcome) {
        meters.ended(run(outcome, false, false, false));
        assertThat(runs(outcome)).isEqualTo(1);
        assertThat(registry.get("leasehold.rounds.duration").timer().count()).isZero();
        assertThat(registry.get("leasehold.rounds.lateness").timer().count()).isZero();
    }

    @Test
    void aDeadHolderIsNoRunOfThisInstance() {
        meters.died(run(RoundOutcome.DIED, false, false));
        assertThat(count("died")).isEqualTo(1);
        assertThat(registry.get("leasehold.rounds.runs").counters())
                .allSatisfy(one -> assertThat(one.count()).isZero());
        assertThat(seconds("duration")).isZero();
    }

    @Test
    void skippedSlotsAreCountedByReason() {
        meters.skipped("prices", 3, SkipReason.OVERLONG);
        meters.skipped("prices", 2, SkipReason.NO_WORKER);
        meters.skipped("prices", 2, SkipReason.NO_WORKER);
        var skipped = registry.get("leasehold.rounds.skipped").tag("round", "prices");
        assertThat(skipped.tag("reason", "overlong").counter().count()).isEqualTo(3);
        var noWorker = registry.get("leasehold.rounds.skipped").tag("reason", "no_worker");
        assertThat(noWorker.counter().count()).isEqualTo(4);
    }
}
