package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Await;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.RecordedRun;
import dev.leasehold.RunHistory;
import dev.leasehold.SlotRequest;
import dev.leasehold.Stamp;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the history tells of runs that ended in all kinds of ways. */
class RunHistoryTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Leases leases = instance();
    private final RunHistory history = leases.runHistory().build();

    private Leases instance() {
        var one = Leases.on(database.dataSource()).ttl(Duration.ofMinutes(1)).build();
        opened.add(one);
        return one;
    }

    private ManualRounds rounds(Leases some, String node, Round... all) {
        var builder = Rounds.on(some).node(node).history(some.runHistory().build());
        for (Round round : all) {
            builder.add(round);
        }
        var rounds = builder.byHand();
        opened.add(0, rounds);
        return rounds;
    }

    private static Round.Builder sweep() {
        return Round.named("sweep").every(HOUR);
    }

    /** A holder that began a run, if it came to that, and died; its lease has run out. */
    private Lease dead(Stamp stamp, boolean began) throws SQLException {
        var dead = instance();
        var round = sweep().work(context -> {});
        Lease lease = dead.tryAcquireSlot(new SlotRequest("sweep", round.schedule(), stamp))
                .lease()
                .orElseThrow();
        if (began) {
            dead.runHistory().build().began(lease, "sweep", "dead");
        }
        dead.close();
        database.execute("update leases set expires_at = clock_timestamp() where name = 'sweep'");
        return lease;
    }

    private RoundRun passed(ManualRounds rounds) throws Exception {
        var runs = new CopyOnWriteArrayList<RoundRun>();
        Await.until("a run", LIMIT, () -> rounds.pass("sweep").map(runs::add).isPresent());
        return runs.get(0);
    }

    /** A write that takes longer than a second goes on in the background. */
    private List<RecordedRun> runsOnce(Predicate<List<RecordedRun>> condition) throws Exception {
        Await.until("it is written", LIMIT, () -> condition.test(history.runs("sweep", 10)));
        return history.runs("sweep", 10);
    }

    private RecordedRun only() throws Exception {
        return runsOnce(all -> all.size() == 1).get(0);
    }

    private List<RecordedRun> ended(int count) throws Exception {
        return runsOnce(all -> all.size() == count
                && all.stream().allMatch(row -> row.outcome().isPresent()));
    }

    private @Nullable String ofRow(Lease lease, String expression) throws Exception {
        return database.queryForString("select " + expression + " from round_runs where fence = " + lease.fence());
    }

    private void awaitDied(Lease dead, boolean counted) throws Exception {
        Await.until("it is written", LIMIT, () -> ofRow(dead, "outcome") != null);
        assertThat(ofRow(dead, "outcome || counted")).isEqualTo("DIED" + counted);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    @Test
    void aRunHasOneRowFromItsBeginToItsEnd() throws Exception {
        var whileItRan = new CopyOnWriteArrayList<RecordedRun>();
        RoundRun run = rounds(leases, "node-a", sweep().work(context -> whileItRan.add(only())))
                .pass("sweep")
                .orElseThrow();
        assertThat(whileItRan).singleElement().satisfies(row -> {
            assertThat(row.outcome()).isEmpty();
            assertThat(row.endedAt()).isEmpty();
            assertThat(row.counted()).isFalse();
            assertThat(row.slot()).isEqualTo(run.slot());
        });
        RecordedRun row = ended(1).get(0);
        assertThat(row)
                .isEqualTo(new RecordedRun(
                        "sweep",
                        run.fence(),
                        "sweep",
                        Optional.of("node-a"),
                        run.slot(),
                        false,
                        run.holder(),
                        whileItRan.get(0).startedAt(),
                        row.endedAt(),
                        Optional.of("DONE"),
                        true,
                        Optional.empty()));
        assertThat(row.endedAt().orElseThrow()).isAfter(row.startedAt());
    }

    @Test
    void whatTheWorkThrewIsKeptCutAndWithoutWhatPostgresqlRefuses() throws Exception {
        String prefix = "java.lang.IllegalStateException: ";
        String tooLong = "a\0b😀" + "x".repeat(1_994 - prefix.length()) + "😀".repeat(500);
        rounds(leases, "node-a", sweep().work(context -> {
                    throw new IllegalStateException(tooLong);
                }))
                .pass("sweep");
        RecordedRun row = ended(1).get(0);
        assertThat(row.outcome()).contains("FAILED");
        assertThat(row.counted()).isTrue();
        assertThat(row.error().orElseThrow())
                .startsWith(prefix + "a\\u0000b😀xxx")
                .satisfies(error ->
                        assertThat(error.codePointCount(0, error.length())).isLessThanOrEqualTo(2_000));
    }

    @Test
    void aRunThatLostItsLeaseSaysSo() throws Exception {
        rounds(leases, "node-a", sweep().work(context -> database.execute("""
                        update leases
                           set holder = 'another', fence = fence + 1, expires_at = now() + interval '1 hour'
                        """))).pass("sweep");
        RecordedRun row = ended(1).get(0);
        assertThat(row.outcome()).contains("LOST");
        assertThat(row.counted()).isFalse();
        assertThat(row.endedAt()).isPresent();
    }

    @Test
    void itsTakerWritesDownThatARunDiedAndKeepsWhatTheRunSaidAtItsBegin() throws Exception {
        Lease dead = dead(Stamp.AT_END, true);
        RecordedRun begun = only();
        Instant leaseEnd = leases.rows().get(0).expiresAt();
        RoundRun taker = passed(rounds(leases, "node-a", sweep().work(context -> {})));
        List<RecordedRun> rows = ended(2);
        assertThat(rows).extracting(RecordedRun::fence).containsExactly(taker.fence(), dead.fence());
        assertThat(rows.get(1))
                .isEqualTo(new RecordedRun(
                        "sweep",
                        dead.fence(),
                        "sweep",
                        Optional.of("dead"),
                        dead.slot().map(slot -> slot.at()),
                        false,
                        dead.holder(),
                        begun.startedAt(),
                        rows.get(1).endedAt(),
                        Optional.of("DIED"),
                        false,
                        Optional.empty()));
        assertThat(rows.get(1).endedAt().orElseThrow())
                .as("when it was found dead")
                .isAfter(begun.startedAt())
                .isAfter(leaseEnd);
        assertThat(rows.get(0).outcome()).contains("DONE");
    }

    @Test
    void aDeadRunWhoseBeginNobodyWroteBeganWhenItsLeaseWasAcquired() throws Exception {
        Lease dead = dead(Stamp.AT_END, false);
        String takenAt = database.queryForString("select taken_at from leases");
        passed(rounds(leases, "node-a", sweep().work(context -> {})));
        RecordedRun row = ended(2).get(1);
        assertThat(row.fence()).isEqualTo(dead.fence());
        assertThat(row.holder()).isEqualTo(dead.holder());
        assertThat(row.outcome()).contains("DIED");
        assertThat(row.node()).isEmpty();
        assertThat(row.slot()).isEmpty();
        assertThat(ofRow(dead, "started_at")).isEqualTo(takenAt);
    }

    @Test
    void aSlotThatCountsAtItsBeginIsCountedThoughItsRunDied() throws Exception {
        Lease dead = dead(Stamp.AT_ACQUIRE, true);
        assertThat(only().counted()).isTrue();
        var extra =
                rounds(leases, "node-a", sweep().promise(Promise.AT_MOST_ONCE).work(context -> {}));
        Await.until("taken over", LIMIT, () -> extra.runNow("sweep").isPresent());
        awaitDied(dead, true);
    }

    @Test
    void aDeadRunIsToldListenersAsItIsWrittenDown() throws Exception {
        for (Promise promise : List.of(Promise.AT_LEAST_ONCE, Promise.AT_MOST_ONCE)) {
            boolean counts = promise == Promise.AT_MOST_ONCE;
            for (boolean began : List.of(true, false)) {
                database.execute("delete from leases");
                Lease dead = dead(counts ? Stamp.AT_ACQUIRE : Stamp.AT_END, began);
                var told = new CopyOnWriteArrayList<RoundRun>();
                var taker = Rounds.on(leases)
                        .node("node-a")
                        .history(history)
                        .listener(new RoundListener() {
                            @Override
                            public void died(RoundRun run) {
                                told.add(run);
                            }
                        })
                        .add(sweep().promise(promise).work(context -> {}))
                        .byHand();
                opened.add(0, taker);
                Await.until("taken over", LIMIT, () -> taker.runNow("sweep").isPresent());
                assertThat(told)
                        .singleElement()
                        .satisfies(run -> assertThat(run.counted()).isEqualTo(counts));
                awaitDied(dead, counts);
            }
        }
    }

    @Test
    void whatADeadRunSaysWhenItWakesReplacesWhatItsTakerSaid() throws Exception {
        var began = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        var frozen = rounds(leases, "frozen", sweep().work(context -> {
            began.countDown();
            mayEnd.await();
        }));
        var late = CompletableFuture.supplyAsync(
                () -> frozen.pass("sweep").orElseThrow(), task -> new Thread(task).start());
        assertThat(began.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        RecordedRun begun = only();
        var taker = rounds(instance(), "node-a", sweep().work(context -> {}));
        Await.until("taken over", LIMIT, () -> {
            database.execute("update leases set expires_at = now() - interval '1 second'");
            return taker.pass("sweep").isPresent();
        });
        RecordedRun died = ended(2).get(1);
        assertThat(died.outcome()).contains("DIED");
        assertThat(died.node()).contains("frozen");
        mayEnd.countDown();
        assertThat(late.get(30, TimeUnit.SECONDS).outcome()).isEqualTo(RoundOutcome.LOST);
        List<RecordedRun> rows = runsOnce(all -> !all.get(1).equals(died));
        assertThat(rows).extracting(row -> row.outcome().orElseThrow()).containsExactly("DONE", "LOST");
        assertThat(rows.get(1).endedAt().orElseThrow()).isAfter(died.endedAt().orElseThrow());
        assertThat(rows.get(1).startedAt()).isEqualTo(begun.startedAt());
        assertThat(rows.get(1).slot()).isEqualTo(begun.slot());
    }

    @Test
    void anExtraRunIsToldApartAndCountsForNothing() throws Exception {
        var rounds = rounds(leases, "node-a", sweep().work(context -> {}));
        RoundRun counted = rounds.pass("sweep").orElseThrow();
        RoundRun extra = rounds.runNow("sweep").orElseThrow();
        List<RecordedRun> rows = ended(2);
        assertThat(rows).extracting(RecordedRun::fence).containsExactly(extra.fence(), counted.fence());
        assertThat(rows).extracting(RecordedRun::extra).containsExactly(true, false);
        assertThat(rows).extracting(RecordedRun::counted).containsExactly(false, true);
    }

    @Test
    void whatIsGivenUpAtTheLimitOfDeathsHasItsRowBesideTheDeadOne() throws Exception {
        Lease dead = dead(Stamp.AT_END, true);
        RoundRun givenUp = passed(rounds(leases, "node-a", sweep().deathLimit(1).work(context -> {
            throw new AssertionError("begun");
        })));
        List<RecordedRun> rows = ended(2);
        assertThat(rows).extracting(RecordedRun::fence).containsExactly(givenUp.fence(), dead.fence());
        assertThat(rows).extracting(row -> row.outcome().orElseThrow()).containsExactly("GIVEN_UP", "DIED");
        assertThat(rows.get(0).error()).contains("1 holders in a row have died");
        assertThat(rows.get(0).counted()).isTrue();
    }

    @Test
    void aRunThatTookTooLongAndOneOfANodeAreTold() throws Exception {
        String name = "'; drop table round_runs; -- ß😀 a:b?c";
        var rounds = rounds(
                leases,
                "node 😀 $1",
                Round.named(name)
                        .every(HOUR)
                        .scope(Scope.NODE)
                        .runTimeout(Duration.ofMillis(50))
                        .work(context -> new CountDownLatch(1).await()));
        rounds.pass(name);
        Await.until(
                "it is written",
                LIMIT,
                () -> history.runs(name, 10).stream()
                        .anyMatch(row -> row.outcome().isPresent()));
        assertThat(history.runs(name, 10)).singleElement().satisfies(row -> {
            assertThat(row.round()).isEqualTo(name);
            assertThat(row.node()).contains("node 😀 $1");
            assertThat(row.lease()).isEqualTo(name + "@node 😀 $1");
            assertThat(row.outcome()).contains("TIMED_OUT");
            assertThat(row.error()).contains("java.lang.InterruptedException");
        });
    }

    /** As in a deploy that goes from one instance to the next: it takes over in the moment in which it is stopped. */
    @Test
    void aDeathIsToldByATakerThatStopsBeforeItBeginsAndNotForgotten() throws Exception {
        Lease dead = dead(Stamp.AT_END, true);
        var told = new CopyOnWriteArrayList<RoundRun>();
        var listener = new RoundListener() {
            @Override
            public void died(RoundRun run) {
                told.add(run);
            }
        };
        var stopping = new AtomicReference<@Nullable ManualRounds>();
        var source = new ForwardingDataSource(database.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                var rounds = stopping.getAndSet(null);
                if (rounds != null) {
                    rounds.close();
                }
                return super.getConnection();
            }
        };
        var stopped = Leases.on(source).ttl(Duration.ofMinutes(1)).build();
        opened.add(stopped);
        var taker = Rounds.on(stopped)
                .node("node-a")
                .history(history)
                .listener(listener)
                .add(sweep().work(context -> {
                    throw new AssertionError("begun");
                }))
                .byHand();
        opened.add(0, taker);
        stopping.set(taker);
        assertThat(taker.pass("sweep")).isEmpty();
        awaitDied(dead, false);
        assertThat(told).extracting(RoundRun::fence).containsExactly(dead.fence());
        var next = Rounds.on(leases)
                .node("node-b")
                .listener(listener)
                .add(sweep().work(context -> {
                    assertThat(context.previousDied()).isTrue();
                    assertThat(context.lease().deaths()).isEqualTo(1);
                }))
                .byHand();
        opened.add(0, next);
        assertThat(passed(next).outcome()).isEqualTo(RoundOutcome.DONE);
        assertThat(told).as("once").hasSize(1);
    }
}
