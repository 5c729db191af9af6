package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each write leaves in the table, in whatever order they come, and how it is read and cleaned up. */
class RunHistoryTableTest {

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration TOOK = Duration.ofSeconds(90);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final AtomicInteger borrowed = new AtomicInteger();
    private final Leases leases = Leases.on(new ForwardingDataSource(database.dataSource()) {
                @Override
                public Connection getConnection() throws SQLException {
                    borrowed.incrementAndGet();
                    return super.getConnection();
                }
            })
            .build();
    private final RunHistory history = leases.runHistory().build();

    @AfterEach
    void close() {
        leases.close();
    }

    private Lease acquire(String name) {
        return leases.tryAcquireSlot(name, Grid.every(DAY)).lease().orElseThrow();
    }

    private static Instant slot(Lease lease) {
        return lease.slot().orElseThrow().at();
    }

    private static RunEnd end(Lease lease, String outcome, String error) {
        return new RunEnd(
                lease.name(),
                lease.fence(),
                "sweep",
                "node-a",
                Optional.of(slot(lease)),
                false,
                lease.holder(),
                TOOK,
                outcome,
                true,
                Optional.of(error));
    }

    private void died(Lease lease) {
        history.died("sweep", lease.name(), new DeadHolder(lease.holder(), lease.fence(), Instant.EPOCH), false);
    }

    private RecordedRun only() throws Exception {
        return only(row -> true);
    }

    /** What could not be written within its bound is written in the background. */
    private RecordedRun only(Predicate<RecordedRun> isWritten) throws Exception {
        Await.until(
                "written",
                LIMIT,
                () -> history.runs(10).stream().filter(isWritten).count() == 1);
        List<RecordedRun> all = history.runs(10);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"E", "BE", "EB", "DE", "ED", "BDE", "BED", "DBE", "DEB", "EBD", "EDB", "BEE", "BDEDB"})
    void inWhateverOrderTheyComeTheRowSaysWhatTheRunItselfHasSaidFirst(String order) throws Exception {
        Lease lease = acquire("sweep");
        int ends = 0;
        for (String write : order.split("", -1)) {
            switch (write) {
                case "B" -> history.began(lease, "sweep", "node-a");
                case "D" -> died(lease);
                case "E" -> history.ended(end(lease, ends++ == 0 ? "LOST" : "DONE", "gone"));
                default -> assertThat(write).isEmpty();
            }
        }
        RecordedRun row = only(written ->
                written.outcome().equals(Optional.of("LOST")) && written.node().isPresent());
        assertThat(row.outcome()).contains("LOST");
        assertThat(row.error()).contains("gone");
        assertThat(row.node()).contains("node-a");
        assertThat(row.slot()).contains(slot(lease));
        assertThat(row.holder()).isEqualTo(lease.holder());
        assertThat(row.counted()).isTrue();
        assertThat(row.endedAt()).isPresent();
    }

    @Test
    void aBeginThatComesAfterTheDeathAddsWhatTheTakerCouldNotKnow() throws Exception {
        Lease lease = acquire("sweep");
        died(lease);
        assertThat(only().node()).isEmpty();
        history.began(lease, "sweep", "node-a");
        RecordedRun row = only(written -> written.node().isPresent());
        assertThat(row.outcome()).contains("DIED");
        assertThat(row.node()).contains("node-a");
        assertThat(row.slot()).contains(slot(lease));
        assertThat(row.startedAt()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void anEndWithoutABeginTellsTheBeginByHowLongItTook() throws Exception {
        history.ended(end(acquire("sweep"), "DONE", ""));
        RecordedRun row = only();
        assertThat(Duration.between(row.startedAt(), row.endedAt().orElseThrow()))
                .isEqualTo(TOOK);
        assertThat(row.error()).isEmpty();
    }

    @Test
    void ofARunAndItsTakerWhoWriteAtOnceTheRunHasTheLastWord() throws Exception {
        var threads = Executors.newFixedThreadPool(2);
        try (var other = Leases.on(database.dataSource()).build()) {
            var othersHistory = other.runHistory().build();
            for (int turn = 0; turn < 50; turn++) {
                Lease lease = acquire("sweep " + turn);
                var barrier = new CyclicBarrier(2);
                var taker = threads.submit(() -> {
                    barrier.await();
                    othersHistory.died(
                            "sweep", lease.name(), new DeadHolder(lease.holder(), lease.fence(), slot(lease)), false);
                    return true;
                });
                var run = threads.submit(() -> {
                    barrier.await();
                    history.ended(end(lease, "LOST", ""));
                    return true;
                });
                assertThat(taker.get() && run.get()).isTrue();
                lease.release();
            }
        } finally {
            threads.shutdownNow();
        }
        Await.until(
                "all have the last word",
                LIMIT,
                () -> history.runs(100).stream()
                                .filter(row -> row.outcome().equals(Optional.of("LOST")))
                                .count()
                        == 50);
        assertThat(history.runs(100)).hasSize(50);
    }

    @Test
    void howeverManyWriteAndReadALockedTableOneConnectionIsBorrowedAndNobodyWaitsForLong() throws Exception {
        int writers = 20;
        var lease = acquire("sweep");
        var threads = Executors.newFixedThreadPool(writers);
        try (var pool = pool();
                var some = Leases.on(pool).build();
                var other = database.connect()) {
            var pooled = some.runHistory().build();
            other.setAutoCommit(false);
            other.createStatement().execute("lock table round_runs in access exclusive mode");
            long start = System.nanoTime();
            var written = new ArrayList<Future<Boolean>>();
            for (int i = 0; i < writers; i++) {
                int number = i;
                written.add(threads.submit(() -> {
                    if (number < 2) {
                        assertThatExceptionOfType(LeaseException.class).isThrownBy(() -> pooled.runs(1));
                    } else {
                        pooled.began(lease, "sweep " + number, "node-a");
                    }
                    return true;
                }));
            }
            var atATime = new ArrayList<Integer>();
            Await.until("all have gone on", Duration.ofSeconds(60), () -> {
                atATime.add(pool.getHikariPoolMXBean().getActiveConnections());
                return written.stream().allMatch(Future::isDone);
            });
            assertThat(atATime).contains(1);
            assertThat(atATime.stream().filter(active -> active > 1).count())
                    .as("looks that found another beside one that is about to be ended, of %s", atATime)
                    .isLessThan(atATime.size() / 5);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("the bound of those who read")
                    .isLessThan(Duration.ofSeconds(15));
            other.rollback();
            Await.until(
                    "written", Duration.ofSeconds(30), () -> !history.runs(1).isEmpty());
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void whatIsPendingWhenTheLeasesCloseIsTriedOnceMore() throws Exception {
        Lease lease = acquire("sweep");
        var some = Leases.on(database.dataSource()).build();
        var pending = some.runHistory().build();
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("lock table round_runs in access exclusive mode");
            pending.ended(end(lease, "DONE", ""));
            other.rollback();
        }
        some.close();
        assertThat(only().outcome()).contains("DONE");
        pending.began(lease, "sweep", "node-a");
        assertThat(history.runs(10)).as("after the end").hasSize(1);
    }

    @Test
    void ofWhatCannotBeWrittenTheNewestThousandArePending() throws Exception {
        database.execute("drop table round_runs");
        var tries = new AtomicInteger();
        try (var pool = pool();
                var some = Leases.on(new ForwardingDataSource(pool) {
                            @Override
                            public Connection getConnection() throws SQLException {
                                tries.incrementAndGet();
                                return super.getConnection();
                            }
                        })
                        .build()) {
            var pooled = some.runHistory().schema(SchemaMode.NONE).build();
            for (long fence = 1; fence <= 1_200; fence++) {
                pooled.died("sweep", "sweep", new DeadHolder("h", fence, Instant.EPOCH), false);
            }
            // One that was pushed out may be on its way; the next one that is tried is not.
            int before = tries.get();
            Await.until("the next one is tried", LIMIT, () -> tries.get() >= before + 2);
            leases.runHistory().build();
            Await.until(
                    "written",
                    Duration.ofSeconds(60),
                    () -> database.queryForLong("select max(fence) from round_runs") == 1_200);
        }
        assertThat(database.queryForLong("select count(*) from round_runs")).isEqualTo(1_000);
        assertThat(database.queryForLong("select min(fence) from round_runs")).isEqualTo(201);
    }

    private HikariDataSource pool() {
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(4);
        return new HikariDataSource(config);
    }

    @Test
    void aThreadThatIsInterruptedKeepsItsFlagAndWhatItSaysIsWrittenAllTheSame() throws Exception {
        Lease lease = acquire("sweep");
        Thread.currentThread().interrupt();
        history.ended(end(lease, "STOPPED", ""));
        assertThat(Thread.interrupted()).isTrue();
        Await.until("written", Duration.ofSeconds(30), () -> !history.runs(1).isEmpty());
        assertThat(only().outcome()).contains("STOPPED");
    }

    @Test
    void theNewestRunsComeFirstAndNoMoreThanAskedFor() throws Exception {
        database.execute("""
                insert into round_runs (lease, fence, round, extra, holder, started_at, counted)
                select 'lease ' || i % 3, i, 'round ' || i % 2, false, 'h', now() - i * interval '1 minute', false
                  from generate_series(1, 100) as i
                """);
        assertThat(history.runs(3)).extracting(RecordedRun::fence).containsExactly(1L, 2L, 3L);
        assertThat(history.runs("round 1", 3)).extracting(RecordedRun::fence).containsExactly(1L, 3L, 5L);
        assertThat(history.runs("round 2", 3)).isEmpty();
        assertThat(history.runs(10_000)).hasSize(100);
    }

    @Test
    void numbersAndAgesOutOfReasonAreRefusedByTheirValueAndTheRule() {
        for (int most : new int[] {0, -1, 10_001}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> history.runs(most))
                    .withMessage("most is " + most + ", but must be 1 to 10,000");
            assertThatIllegalArgumentException().isThrownBy(() -> history.runs("sweep", most));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> history.runs("a\0b", 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> history.cleanUp(Duration.ofSeconds(59)))
                .withMessage("olderThan is PT59S, but must be 1 minute to 36,500 days");
        assertThatIllegalArgumentException().isThrownBy(() -> history.cleanUp(Duration.ofDays(36_501)));
        assertThatIllegalArgumentException().isThrownBy(() -> history.began(acquire("sweep"), "sweep", ""));
    }

    @Test
    void cleanUpDeletesByAgeInBatchesAndNothingThatEndedLatelyOrStillRuns() throws Exception {
        database.execute("""
                insert into round_runs (lease, fence, round, extra, holder, started_at, ended_at, counted)
                select 'order', i, 'order', false, 'h', now() - interval '3 days', now() - interval '2 days', false
                  from generate_series(1, 5000) as i
                """);
        database.execute("""
                insert into round_runs (lease, fence, round, extra, holder, started_at, ended_at, counted)
                values ('ended lately', 1, 'r', false, 'h', now() - interval '3 days', now() - interval '23 hours', true),
                       ('young',        1, 'r', false, 'h', now() - interval '2 hours', now() - interval '1 hour', true),
                       ('runs',         1, 'r', false, 'h', now() - interval '23 hours', null, false),
                       ('runs for long', 1, 'r', false, 'h', now() - interval '25 hours', null, false)
                """);
        int before = borrowed.get();
        assertThat(history.cleanUp(DAY)).isEqualTo(5_001);
        assertThat(borrowed.get() - before).isEqualTo(6);
        assertThat(history.runs(10))
                .extracting(RecordedRun::lease)
                .containsExactlyInAnyOrder("ended lately", "young", "runs");
        assertThat(history.cleanUp(DAY)).isZero();
    }

    @Test
    void cleanUpLeavesALockedRowAloneAtOnce() throws Exception {
        database.execute("""
                insert into round_runs (lease, fence, round, extra, holder, started_at, counted)
                values ('locked', 1, 'r', false, 'h', now() - interval '3 days', false),
                       ('free',   1, 'r', false, 'h', now() - interval '3 days', false)
                """);
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from round_runs where lease = 'locked' for share");
            assertThat(history.cleanUp(DAY)).isEqualTo(1);
            other.rollback();
        }
        assertThat(only().lease()).isEqualTo("locked");
    }

    @Test
    void aDatabaseThatSaysNoIsAnExceptionForWhoReadsAndWhoCleansUp() throws Exception {
        database.execute("drop table round_runs");
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> history.runs(1))
                .withMessageContaining("is the run history created, and on the search_path?");
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> history.cleanUp(DAY))
                .withMessageStartingWith("the clean-up of the run history ended after 0 rows: ");
    }

    @Test
    void anErrorThatTheEncodingOfTheDatabaseLacksTheCharactersOfIsEscaped() throws Exception {
        String latin = database.name() + "_latin";
        database.execute("create database " + latin + " encoding 'LATIN1' locale 'C' template template0");
        var source = TestDatabase.dataSource(database.jdbcUrl().replace(database.name(), latin));
        try (var inLatin = Leases.on(source).build()) {
            var latinHistory = inLatin.runHistory().build();
            Lease lease =
                    inLatin.tryAcquireSlot("sweep", Grid.every(DAY)).lease().orElseThrow();
            latinHistory.began(lease, "sweep", "ä");
            latinHistory.ended(end(lease, "FAILED", "ä 😀"));
            Await.until(
                    "written",
                    LIMIT,
                    () -> latinHistory.runs("sweep", 1).stream()
                            .anyMatch(row -> row.outcome().isPresent()));
            assertThat(latinHistory.runs("sweep", 1)).singleElement().satisfies(row -> {
                assertThat(row.outcome()).contains("FAILED");
                assertThat(row.error()).contains("\\u00E4 \\uD83D\\uDE00");
            });
        }
    }
}
