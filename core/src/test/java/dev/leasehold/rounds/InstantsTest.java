package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Acquisition;
import dev.leasehold.Await;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.Schedule;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rounds whose slots are the instants of a function, as of a cron expression. */
class InstantsTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Instances instances = new Instances(database);

    @AfterEach
    void close() {
        instances.close();
    }

    /** At these seconds of every minute. */
    private static Schedule secondsOfTheMinute(List<Integer> seconds) {
        return Schedule.of("at " + seconds, after -> {
            long minute = after.getEpochSecond() / 60 * 60;
            for (long start = minute; ; start += 60) {
                for (int second : seconds) {
                    Instant candidate = Instant.ofEpochSecond(start + second);
                    if (candidate.isAfter(after)) {
                        return candidate;
                    }
                }
            }
        });
    }

    /** Slots at which nothing happens within the test, but for what the test makes of them. */
    private static Schedule yearly(Instant one) {
        return Schedule.of("yearly", after -> {
            Instant next = one.minus(Duration.ofDays(3_650));
            while (!next.isAfter(after)) {
                next = next.plus(Duration.ofDays(365));
            }
            return next;
        });
    }

    private Acquisition attempt(Leases leases, Schedule schedule) {
        return leases.tryAcquireSlot("report", schedule);
    }

    @Test
    void aNewRoundWaitsForItsNextInstant() throws Exception {
        var leases = instances.leases();
        Instant later = Instant.now().plus(Duration.ofDays(2));
        assertThat(attempt(leases, yearly(later)))
                .isInstanceOfSatisfying(
                        Acquisition.NotDue.class,
                        notDue -> assertThat(notDue.nextSlotIn())
                                .isBetween(Duration.ofDays(2).minusMinutes(2), Duration.ofDays(2)));
    }

    @Test
    void anInstantThatComesIsRunOnceAndOnlyOnce() throws Exception {
        var leases = instances.leases();
        Schedule schedule =
                secondsOfTheMinute(List.of(0, 3, 7, 10, 13, 16, 20, 24, 28, 31, 33, 37, 41, 45, 48, 52, 56));
        attempt(leases, schedule);
        var won = new CopyOnWriteArrayList<Lease>();
        Await.until("the next instant", LIMIT, () -> {
            attempt(leases, schedule).lease().ifPresent(won::add);
            return !won.isEmpty();
        });
        Instant slot = won.get(0).slot().orElseThrow().at();
        assertThat(List.of(0L, 3L, 7L, 10L, 13L, 16L, 20L, 24L, 28L, 31L, 33L, 37L, 41L, 45L, 48L, 52L, 56L))
                .contains(slot.getEpochSecond() % 60);
        assertThat(won.get(0).slot().orElseThrow().late()).isBetween(Duration.ZERO, Duration.ofSeconds(4));
        won.get(0).releaseDone();
        Acquisition next = attempt(leases, schedule);
        assertThat(next.lease().map(lease -> lease.slot().orElseThrow().at()))
                .isNotEqualTo(java.util.Optional.of(slot));
    }

    @Test
    void ofInstantsThatWereMissedTheLastIsRunLate() throws Exception {
        var leases = instances.leases();
        Instant earlier = Instant.now().minus(Duration.ofDays(3));
        attempt(leases, yearly(earlier));
        count(earlier.minus(Duration.ofDays(800)));
        Lease lease = attempt(leases, yearly(earlier)).lease().orElseThrow();
        assertThat(lease.slot().orElseThrow().at()).isEqualTo(truncated(earlier));
        assertThat(lease.slot().orElseThrow().late()).isGreaterThan(Duration.ofDays(2));
        lease.releaseDone();
        assertThat(attempt(leases, yearly(earlier))).isInstanceOf(Acquisition.NotDue.class);
    }

    private static Instant truncated(Instant instant) {
        return instant.truncatedTo(java.time.temporal.ChronoUnit.MICROS);
    }

    private void count(Instant slot) throws SQLException {
        database.execute("update leases set done_slot = '" + slot + "'");
    }

    @Test
    void aCountedInstantBeyondTheNextOneIsAClockThatWasWrong() throws Exception {
        var leases = instances.leases();
        Instant earlier = Instant.now().minus(Duration.ofDays(3));
        attempt(leases, yearly(earlier));
        count(earlier.plus(Duration.ofDays(500)));
        assertThat(attempt(leases, yearly(earlier)).lease()).isPresent();
    }

    @Test
    void aSlotThatIsMadeDueIsTheLastThatHasCome() throws Exception {
        var leases = instances.leases();
        Instant earlier = Instant.now().minus(Duration.ofDays(3));
        attempt(leases, yearly(earlier));
        leases.makeDue("report");
        assertThat(attempt(leases, yearly(earlier)).lease())
                .hasValueSatisfying(
                        lease -> assertThat(lease.slot().orElseThrow().at()).isEqualTo(truncated(earlier)));
    }

    @Test
    void aRoundThatWasPausedBeforeItsFirstLookWaitsForItsNextInstantToo() {
        var operator = instances.leases();
        operator.pause("report", "not yet");
        operator.resume("report");
        operator.tryAcquire("report").lease().orElseThrow().release();
        assertThat(attempt(operator, yearly(Instant.now().minus(Duration.ofDays(3)))))
                .isInstanceOf(Acquisition.NotDue.class);
    }

    /** A request that was made while nobody was there is no reason to wait. */
    @Test
    void aRequestIsNotForgottenByAnInstanceThatAsksForTheFirstTime() {
        Schedule schedule = yearly(Instant.now().minus(Duration.ofDays(3)));
        attempt(instances.leases(), schedule);
        instances.leases().makeDue("report");
        assertThat(attempt(instances.leases(), schedule).lease()).isPresent();
    }

    @Test
    void passDueRunsANewRoundToo() {
        ManualRounds rounds = instances.byHand(
                instances.leases(),
                Round.named("report")
                        .schedule(yearly(Instant.now().minus(Duration.ofDays(3))))
                        .work(context -> {}));
        assertThat(rounds.passDue("report")).isPresent();
        assertThat(rounds.passDue("report")).isPresent();
    }

    /** An instant before the only one that is sent has come: it is asked for again, and run. */
    @Test
    void aScheduleThatEndsRunsItsLastInstantLate() throws Exception {
        var leases = instances.leases();
        Instant last = Instant.now().minusSeconds(60);
        Schedule ends = Schedule.of(
                "ends",
                after -> last.isAfter(after)
                        ? (last.minusSeconds(600).isAfter(after) ? last.minusSeconds(600) : last)
                        : null);
        attempt(leases, ends);
        count(last.minusSeconds(500));
        Lease lease = attempt(leases, ends).lease().orElseThrow();
        assertThat(lease.slot().orElseThrow().at()).isEqualTo(truncated(last));
        lease.releaseDone();
        assertThat(attempt(leases, ends)).isEqualTo(new Acquisition.NotDue(Duration.ofDays(366)));
    }

    @Test
    void anEndedOrEmptyScheduleIsNeverDueAndNeverAnError() {
        var leases = instances.leases();
        assertThat(attempt(leases, Schedule.of("never", after -> null)))
                .isEqualTo(new Acquisition.NotDue(Duration.ofDays(366)));
        Instant once = Instant.now().minusSeconds(5);
        assertThat(attempt(leases, Schedule.of("once", after -> once.isAfter(after) ? once : null)))
                .isEqualTo(new Acquisition.NotDue(Duration.ofDays(366)));
    }

    @Test
    void gridsAndInstantsAreAskedTogetherInOneStatement() throws Exception {
        var leases = instances.leases();
        Instant earlier = Instant.now().minus(Duration.ofDays(3));
        Round grid = Round.named("grid").every(Duration.ofDays(300)).work(context -> {});
        Round cron = Round.named("report").schedule(yearly(earlier)).work(context -> {});
        Round once = Round.named("once")
                .every(Duration.ofDays(300))
                .promise(Promise.AT_MOST_ONCE)
                .work(context -> {});
        attempt(leases, yearly(earlier));
        count(earlier.minus(Duration.ofDays(800)));
        leases.tryAcquireSlot("grid", grid.schedule()).lease().orElseThrow().release();
        leases.tryAcquireSlot("once", grid.schedule()).lease().orElseThrow().release();
        instances.start(leases, "a", grid, cron, once);
        Await.until("all three", LIMIT, () -> instances.counted() == 4); // one of them is the test's own
        assertThat(database.queryForLong("select count(distinct name) from counted"))
                .isEqualTo(3);
    }

    private static Schedule every(long millis) {
        return Schedule.of(
                "every " + millis + " ms", after -> Instant.ofEpochMilli((after.toEpochMilli() / millis + 1) * millis));
    }

    /** Questions reach it late, as on a busy pool. */
    private Leases late(Duration delay) {
        return Leases.on(new ForwardingDataSource(database.dataSource()) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        LockSupport.parkNanos(delay.toNanos());
                        return super.getConnection();
                    }
                })
                .ttl(Duration.ofMinutes(1))
                .build();
    }

    @Test
    void instantsCloseTogetherAreRunThoughTheDatabaseIsAskedLate() throws Exception {
        try (var leases = late(Duration.ofMillis(700))) {
            var rounds = instances.start(
                    leases, "a", Round.named("quick").schedule(every(50)).work(context -> {}));
            Await.until("it runs", LIMIT, () -> rounds.status().get(0).counted() >= 3);
            assertThat(rounds.stop(LIMIT)).isEmpty();
        }
    }

    @Test
    void aSlotThatCouldNotBeToldIsNotTakenForTheEndOfTheSchedule() {
        try (var leases = late(Duration.ofMillis(700))) {
            attempt(leases, every(1));
            assertThat(attempt(leases, every(1)))
                    .isEqualTo(
                            new Acquisition.Busy(Optional.empty(), Optional.empty(), Optional.empty(), false, false));
        }
    }

    /** A round whose function fails is a trouble of its own and of no other. */
    @Test
    void aFunctionThatThrowsIsATroubleOfItsRoundAlone() throws Exception {
        Schedule broken = Schedule.of("broken", after -> {
            throw new IllegalStateException("no such zone");
        });
        var rounds = instances.start(
                instances.leases(),
                "a",
                Round.named("broken").schedule(broken).work(context -> {}),
                Round.named("fine").every(Duration.ofMillis(200)).work(context -> {}));
        Await.until("three looks", LIMIT, () -> rounds.status().get(0).trouble().isPresent());
        assertThat(rounds.status().get(0).trouble().orElseThrow()).contains("no such zone");
        assertThat(rounds.status().get(1).isHealthy()).isTrue();
        Await.until("the other runs", LIMIT, () -> instances.counted("fine") > 0);
    }
}
