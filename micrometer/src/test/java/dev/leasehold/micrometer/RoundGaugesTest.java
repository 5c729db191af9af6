package dev.leasehold.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.Schedule;
import dev.leasehold.rounds.ManualRounds;
import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.Rounds;
import dev.leasehold.rounds.Scope;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is the case with the rounds that are bound. */
class RoundGaugesTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final LeaseholdMeters meters = new LeaseholdMeters(registry);
    private final Leases leases = Leases.on(database.dataSource()).build();
    private final List<AutoCloseable> made = new ArrayList<>();
    private volatile boolean fails;

    @BeforeEach
    void setClock() {
        clock.add(System.currentTimeMillis(), TimeUnit.MILLISECONDS);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : made) {
            one.close();
        }
        leases.close();
    }

    private ManualRounds byHand(Round round) {
        var rounds =
                Rounds.on(leases).node("node-a").listener(meters).add(round).byHand();
        made.add(rounds);
        meters.bind(rounds);
        return rounds;
    }

    private Round prices() {
        return Round.named("prices").every(HOUR).work(context -> {
            if (fails) {
                throw new IllegalStateException("asked for by the test");
            }
        });
    }

    private double gauge(String name) {
        return registry.get("leasehold.rounds." + name)
                .tag("round", "prices")
                .gauge()
                .value();
    }

    @Test
    void theCountersOfABoundRoundAreThereAtZeroBeforeTheFirstEvent() {
        byHand(prices());
        for (String name : List.of("runs", "counted", "failures", "died", "skipped")) {
            assertThat(registry.get("leasehold.rounds." + name)
                            .tag("round", "prices")
                            .counters())
                    .isNotEmpty()
                    .allSatisfy(one -> assertThat(one.count()).isZero());
        }
        assertThat(registry.get("leasehold.rounds.runs").counters()).hasSize(6);
        assertThat(registry.get("leasehold.rounds.skipped").counters()).hasSize(2);
        assertThat(registry.get("leasehold.rounds.duration").timer().count()).isZero();
        assertThat(registry.get("leasehold.rounds.lateness").timer().count()).isZero();
    }

    @Test
    void theAgeOfTheLastSuccessGrowsUntilTheNextAndNotByFailures() {
        var rounds = byHand(prices());
        clock.add(Duration.ofMinutes(10));
        assertThat(gauge("success.age")).as("none yet, so since it was bound").isBetween(590.0, 660.0);
        rounds.passDue("prices");
        clock.add(Duration.ofMinutes(-10));
        assertThat(gauge("success.age")).isBetween(0.0, 60.0);
        clock.add(Duration.ofHours(5));
        assertThat(gauge("success.age")).isBetween(17_900.0, 18_060.0);
        fails = true;
        rounds.passDue("prices");
        assertThat(gauge("success.age")).isGreaterThan(17_000);
    }

    @Test
    void aClockThatIsSetBackMakesNoNegativeAge() {
        var rounds = byHand(prices());
        rounds.passDue("prices");
        clock.add(Duration.ofHours(-1));
        assertThat(gauge("success.age")).isZero();
    }

    @Test
    void thePeriodOfAGridIsKnownAtOnce() {
        byHand(prices());
        assertThat(gauge("period")).isEqualTo(3600);
    }

    @Test
    void thePeriodOfOtherSchedulesIsKnownFromTheFirstRunOn() {
        var onTheHour = Schedule.of(
                "on the hour", after -> after.truncatedTo(ChronoUnit.HOURS).plus(HOUR));
        var rounds = byHand(Round.named("prices").schedule(onTheHour).work(context -> {}));
        rounds.runNow("prices");
        assertThat(gauge("period")).as("an extra run has no slot").isNaN();
        rounds.passDue("prices");
        assertThat(gauge("period")).isEqualTo(3600);
    }

    @Test
    void stoppedRoundsTellNothingAnyMore() {
        var rounds = Rounds.on(leases).node("node-a").add(prices()).start();
        meters.bind(rounds);
        assertThat(gauge("healthy")).isEqualTo(1);
        assertThat(rounds.stop(Duration.ofSeconds(20))).isEmpty();
        assertThat(gauge("healthy")).isNaN();
        assertThat(gauge("success.age")).isNaN();
    }

    @Test
    void theNextSlotIsKnownFromTheFirstLookOn() {
        var rounds = byHand(prices());
        assertThat(gauge("due.in")).isNaN();
        rounds.pass("prices");
        assertThat(gauge("due.in")).isBetween(-60.0, 3600.0);
        clock.add(Duration.ofHours(3));
        assertThat(gauge("due.in")).isNegative();
    }

    @Test
    void aFailedSlotIsDueAtItsNextTry() {
        var daily = Round.named("prices")
                .every(Duration.ofDays(300))
                .retryAfter(HOUR)
                .work(context -> {
                    throw new IllegalStateException("asked for by the test");
                });
        byHand(daily).pass("prices");
        assertThat(gauge("due.in")).isBetween(3_000.0, 3_660.0);
    }

    @Test
    void aRoundWhoseRunsFailIsNotHealthyUntilOneIsDone() {
        var rounds = byHand(prices());
        fails = true;
        for (int run = 0; run < 3; run++) {
            rounds.passDue("prices");
        }
        assertThat(gauge("healthy")).isZero();
        fails = false;
        rounds.passDue("prices");
        assertThat(gauge("healthy")).isEqualTo(1);
    }

    @Test
    void aPausedRoundSaysSoFromTheNextLookOn() {
        var rounds = byHand(prices());
        assertThat(gauge("paused")).isZero();
        leases.pause("prices", "wrong prices");
        rounds.pass("prices");
        assertThat(gauge("paused")).isEqualTo(1);
        leases.resume("prices");
        rounds.pass("prices");
        assertThat(gauge("paused")).isZero();
    }

    @Test
    void aRunUnderWayIsSeen() {
        List<Double> during = new ArrayList<>();
        var rounds = byHand(Round.named("prices").every(HOUR).work(context -> during.add(gauge("running"))));
        assertThat(gauge("running")).isZero();
        rounds.passDue("prices");
        assertThat(during).containsExactly(1.0);
        assertThat(gauge("running")).isZero();
    }

    @Test
    void aRoundThatCannotLookIsNotHealthy() throws Exception {
        var rounds = byHand(prices());
        assertThat(gauge("healthy")).isEqualTo(1);
        database.execute("drop table leases");
        for (int look = 0; look < 3; look++) {
            rounds.pass("prices");
        }
        assertThat(gauge("healthy")).isZero();
    }

    @Test
    void onlyRoundsOfNodeScopeAreTaggedWithTheNode() {
        byHand(prices());
        byHand(Round.named("uptime").every(HOUR).scope(Scope.NODE).work(context -> {}));
        assertThat(registry.get("leasehold.rounds.healthy")
                        .tag("round", "prices")
                        .gauge()
                        .getId()
                        .getTag("node"))
                .isEmpty();
        assertThat(registry.get("leasehold.rounds.healthy")
                        .tag("round", "uptime")
                        .gauge()
                        .getId()
                        .getTag("node"))
                .isEqualTo("node-a");
    }

    @Test
    void bindingTheSameRoundsTwiceDoublesNothing() {
        var rounds = byHand(prices());
        int once = registry.getMeters().size();
        clock.add(Duration.ofMinutes(10));
        meters.bind(rounds);
        assertThat(gauge("success.age")).as("since the first binding").isEqualTo(600);
        rounds.passDue("prices");
        assertThat(registry.getMeters()).hasSize(once);
        assertThat(registry.get("leasehold.rounds.counted").counter().count()).isEqualTo(1);
        meters.unbind(rounds);
        assertThat(registry.find("leasehold.rounds.healthy").gauges()).isEmpty();
    }

    @Test
    void theGaugesOfUnboundRoundsGoAndTheirCountersStay() throws Exception {
        var begun = new CountDownLatch(1);
        var rounds = Rounds.on(leases)
                .listener(meters)
                .add(Round.named("prices").every(Duration.ofDays(300)).work(context -> begun.countDown()))
                .start();
        made.add(rounds);
        meters.bind(rounds);
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(rounds.stop(Duration.ofSeconds(30))).isEmpty();
        meters.unbind(rounds);
        assertThat(registry.find("leasehold.rounds.healthy").gauges()).isEmpty();
        assertThat(registry.find("leasehold.rounds.success.age").gauges()).isEmpty();
        assertThat(registry.get("leasehold.rounds.counted").counter().count()).isEqualTo(1);
    }

    @Test
    void roundsThatAreBoundLaterTakeTheGaugesOver() {
        var old = byHand(prices());
        old.passDue("prices");
        leases.pause("prices", "so that the new ones differ");
        var later = byHand(prices());
        later.pass("prices");
        assertThat(gauge("paused")).isEqualTo(1);
        meters.unbind(old);
        assertThat(gauge("paused")).isEqualTo(1);
        meters.unbind(later);
        assertThat(registry.find("leasehold.rounds.paused").gauges()).isEmpty();
    }
}
