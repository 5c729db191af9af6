package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Acquisition;
import dev.leasehold.Await;
import dev.leasehold.Leases;
import dev.leasehold.Schedule;
import dev.leasehold.SlotRequest;
import dev.leasehold.Stamp;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What each promise says of a slot whose holder dies before, during and after its work. */
class PromisesTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Schedule DAILY = Schedule.every(Duration.ofDays(300));

    private static final Executor ON_A_THREAD = task -> new Thread(task).start();

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final Instances instances = new Instances(database);
    private final Leases mortal = instances.leases();

    @BeforeEach
    void start() throws SQLException {
        database.execute("create table effects (by_whom text)");
    }

    @AfterEach
    void close() {
        instances.close();
    }

    private Round.Builder round(Promise promise) {
        return Round.named("sweep").schedule(DAILY).promise(promise);
    }

    /** The other instance, once the lease of the dead holder has run out: what it runs of the slot, if that is due. */
    private Optional<RoundRun> taker(Round round) throws Exception {
        ManualRounds rounds = instances.byHand(instances.leases(), round);
        instances.runOut("sweep");
        return rounds.pass("sweep");
    }

    private Round noted(Promise promise, String who) {
        return round(promise).work(context -> begun.add(who));
    }

    private void dieBeforeTheWork(Stamp stamp) {
        assertThat(mortal.tryAcquireSlot(new SlotRequest("sweep", DAILY, stamp)).lease())
                .isPresent();
        mortal.close();
    }

    /** Dies while it works, and wakes up when another may have taken over. */
    private RoundRun dieDuringTheWork(Promise promise, Round takersRound, List<Optional<RoundRun>> taken)
            throws Exception {
        var works = new CountDownLatch(1);
        var wakes = new CountDownLatch(1);
        ManualRounds rounds = instances.byHand(mortal, round(promise).work(context -> {
            begun.add("dead");
            works.countDown();
            wakes.await();
        }));
        var run = CompletableFuture.supplyAsync(() -> rounds.pass("sweep"), ON_A_THREAD);
        assertThat(works.await(20, TimeUnit.SECONDS)).isTrue();
        mortal.close();
        taken.add(taker(takersRound));
        wakes.countDown();
        return run.get(20, TimeUnit.SECONDS).orElseThrow();
    }

    /** Dies when the work is done, before anybody is told. */
    private void dieAfterTheWork(Promise promise) {
        ManualRounds rounds = instances.byHand(mortal, round(promise).work(context -> {
            begun.add("dead");
            mortal.close();
        }));
        assertThat(rounds.pass("sweep")).isPresent();
    }

    @Test
    void atLeastOnceRunsASlotAgainWhoseHolderDiedBeforeTheWork() throws Exception {
        dieBeforeTheWork(Stamp.AT_END);
        assertThat(taker(noted(Promise.AT_LEAST_ONCE, "taker")))
                .hasValueSatisfying(run -> assertThat(run.counted()).isTrue());
        assertThat(begun).containsExactly("taker");
        assertThat(instances.counted()).isEqualTo(1);
    }

    @Test
    void atLeastOnceRunsASlotAgainWhoseHolderDiedDuringTheWork() throws Exception {
        var taken = new CopyOnWriteArrayList<Optional<RoundRun>>();
        RoundRun dead = dieDuringTheWork(Promise.AT_LEAST_ONCE, noted(Promise.AT_LEAST_ONCE, "taker"), taken);
        assertThat(begun).containsExactly("dead", "taker");
        assertThat(dead.counted()).as("it knows nothing, or that it is lost").isFalse();
        assertThat(taken.get(0))
                .hasValueSatisfying(run -> assertThat(run.counted()).isTrue());
        assertThat(instances.counted()).as("counted once").isEqualTo(1);
    }

    @Test
    void atLeastOnceRunsASlotAgainWhoseHolderDiedAfterTheWork() throws Exception {
        dieAfterTheWork(Promise.AT_LEAST_ONCE);
        assertThat(taker(noted(Promise.AT_LEAST_ONCE, "taker"))).isPresent();
        assertThat(begun).containsExactly("dead", "taker");
        assertThat(instances.counted()).isEqualTo(1);
    }

    @Test
    void atMostOnceSkipsASlotWhoseHolderDiedBeforeTheWork() throws Exception {
        dieBeforeTheWork(Stamp.AT_ACQUIRE);
        assertThat(taker(noted(Promise.AT_MOST_ONCE, "taker"))).isEmpty();
        assertThat(begun).isEmpty();
        assertThat(instances.counted()).isEqualTo(1);
    }

    @Test
    void atMostOnceSkipsASlotWhoseHolderDiedDuringTheWork() throws Exception {
        var taken = new CopyOnWriteArrayList<Optional<RoundRun>>();
        RoundRun dead = dieDuringTheWork(Promise.AT_MOST_ONCE, noted(Promise.AT_MOST_ONCE, "taker"), taken);
        assertThat(taken.get(0)).isEmpty();
        assertThat(begun).containsExactly("dead");
        assertThat(dead.counted()).isTrue();
        assertThat(instances.counted()).isEqualTo(1);
    }

    @Test
    void atMostOnceSkipsASlotWhoseHolderDiedAfterTheWork() throws Exception {
        dieAfterTheWork(Promise.AT_MOST_ONCE);
        assertThat(taker(noted(Promise.AT_MOST_ONCE, "taker"))).isEmpty();
        assertThat(begun).containsExactly("dead");
        assertThat(instances.counted()).isEqualTo(1);
    }

    /** Nothing was begun, so nothing is lost: the stamp is taken back, to what stood there before. */
    @Test
    void atMostOnceGivesASlotBackThatWasNotBegun() throws Exception {
        var leases = instances.leases();
        var request = new SlotRequest("sweep", DAILY, Stamp.AT_ACQUIRE);
        leases.tryAcquireSlot(request).lease().orElseThrow().abandon();
        assertThat(database.queryForString("select done_slot::text from leases"))
                .isNull();
        database.execute("update leases set done_slot = now() - interval '1000 days'");
        String before = database.queryForString("select done_slot::text from leases");
        leases.tryAcquireSlot(request).lease().orElseThrow().abandon();
        assertThat(database.queryForString("select done_slot::text from leases"))
                .isEqualTo(before);
        leases.tryAcquireSlot(request).lease().orElseThrow().release();
        assertThat(leases.tryAcquireSlot(request))
                .as("a plain release leaves the stamp")
                .isInstanceOf(Acquisition.NotDue.class);
    }

    private static void insert(Connection connection, String who) throws SQLException {
        try (var insert = connection.prepareStatement("insert into effects values (?)")) {
            insert.setString(1, who);
            insert.executeUpdate();
        }
    }

    private long effects() throws SQLException {
        return database.queryForLong("select count(*) from effects");
    }

    private Round inTransaction(String who) {
        return Round.named("sweep").schedule(DAILY).workInTransaction((context, connection) -> insert(connection, who));
    }

    @Test
    void exactlyOnceHasOneEffectOfASlotWhoseHolderDiedBeforeTheWork() throws Exception {
        dieBeforeTheWork(Stamp.AT_END);
        assertThat(taker(inTransaction("taker"))).isPresent();
        assertThat(effects()).isEqualTo(1);
        assertThat(instances.counted()).isEqualTo(1);
    }

    @Test
    void exactlyOnceHasOneEffectOfASlotWhoseHolderDiedDuringTheWork() throws Exception {
        var works = new CountDownLatch(1);
        var wakes = new CountDownLatch(1);
        ManualRounds rounds = instances.byHand(
                mortal, Round.named("sweep").schedule(DAILY).workInTransaction((context, connection) -> {
                    insert(connection, "dead");
                    works.countDown();
                    wakes.await();
                }));
        var run = CompletableFuture.supplyAsync(() -> rounds.pass("sweep"), ON_A_THREAD);
        assertThat(works.await(20, TimeUnit.SECONDS)).isTrue();
        mortal.close();
        assertThat(taker(inTransaction("taker")))
                .hasValueSatisfying(taken -> assertThat(taken.outcome()).isEqualTo(RoundOutcome.DONE));
        wakes.countDown();
        assertThat(run.get(20, TimeUnit.SECONDS))
                .hasValueSatisfying(dead -> assertThat(dead.counted()).isFalse());
        assertThat(database.queryForString("select string_agg(by_whom, ',') from effects"))
                .as("nothing of the dead run is visible")
                .isEqualTo("taker");
        assertThat(instances.counted()).isEqualTo(1);
    }

    @Test
    void exactlyOnceHasOneEffectOfASlotWhoseHolderDiedAfterTheCommit() throws Exception {
        ManualRounds rounds =
                instances.byHand(mortal, round(Promise.EXACTLY_ONCE).work(context -> {
                    try (Connection connection = database.connect()) {
                        connection.setAutoCommit(false);
                        insert(connection, "dead");
                        context.finish(connection);
                        connection.commit();
                    }
                    mortal.close();
                }));
        assertThat(rounds.pass("sweep"))
                .hasValueSatisfying(run -> assertThat(run.outcome()).isEqualTo(RoundOutcome.DONE));
        assertThat(taker(inTransaction("taker"))).as("counted by the commit").isEmpty();
        assertThat(effects()).isEqualTo(1);
        assertThat(instances.counted()).isEqualTo(1);
    }

    @Test
    void exactlyOnceCountsByTheCommitOfTheWork() throws Exception {
        ManualRounds rounds = instances.byHand(mortal, inTransaction("one"));
        assertThat(rounds.pass("sweep")).hasValueSatisfying(run -> {
            assertThat(run.outcome()).isEqualTo(RoundOutcome.DONE);
            assertThat(run.counted()).isTrue();
        });
        assertThat(rounds.pass("sweep")).isEmpty();
        assertThat(effects()).isEqualTo(1);
    }

    /** As where the leases have a small source of their own. */
    @Test
    void exactlyOnceCountsByATransactionOnAnotherSource() throws Exception {
        ManualRounds rounds = instances.byHand(
                mortal,
                round(Promise.EXACTLY_ONCE)
                        .work(context -> context.lease().runFenced(database.dataSource(), connection -> {
                            insert(connection, "one");
                            context.finish(connection);
                        })));
        assertThat(rounds.pass("sweep")).hasValueSatisfying(run -> {
            assertThat(run.outcome()).isEqualTo(RoundOutcome.DONE);
            assertThat(run.counted()).isTrue();
        });
        assertThat(rounds.pass("sweep")).isEmpty();
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void exactlyOnceDoesNotCountAFinishThatWasRolledBackAndTriesAgainAfterARest() throws Exception {
        var leases = instances.leases();
        ManualRounds rounds = instances.byHand(
                leases,
                round(Promise.EXACTLY_ONCE).retryAfter(Duration.ofMinutes(30)).work(context -> {
                    begun.add("run");
                    try (Connection connection = database.connect()) {
                        connection.setAutoCommit(false);
                        insert(connection, "run");
                        context.finish(connection);
                        if (begun.size() == 1) {
                            connection.rollback();
                        } else {
                            connection.commit();
                        }
                    }
                }));
        assertThat(rounds.pass("sweep")).hasValueSatisfying(run -> {
            assertThat(run.outcome()).isEqualTo(RoundOutcome.FAILED);
            assertThat(run.counted()).isFalse();
            assertThat(run.error())
                    .hasValueSatisfying(error -> assertThat(error).contains("not committed"));
        });
        assertThat(rounds.pass("sweep")).as("it rests").isEmpty();
        instances.runOut("sweep");
        assertThat(rounds.pass("sweep")).as("the rest has passed").isPresent();
        assertThat(effects()).isEqualTo(1);
        assertThat(instances.counted()).isEqualTo(1);
    }

    /** As the server ends it after a freeze: no slot counts without its effect. */
    @Test
    void exactlyOnceTriesASlotAgainWhoseTransactionWasCutOff() throws Exception {
        Round bill = Round.named("sweep")
                .schedule(DAILY)
                .retryAfter(Duration.ofSeconds(1))
                .workInTransaction((context, connection) -> {
                    begun.add("run");
                    insert(connection, "run");
                    if (begun.size() == 1) {
                        database.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                                + " where state = 'idle in transaction' and datname = current_database()");
                    }
                });
        instances.start(instances.leases(), "a", bill);
        Await.until("the slot counts", LIMIT, () -> instances.counted() == 1);
        assertThat(effects()).isEqualTo(1);
        assertThat(begun).hasSize(2);
    }

    @Test
    void exactlyOnceDoesNotCountWorkThatThrew() throws Exception {
        ManualRounds rounds = instances.byHand(
                mortal, Round.named("sweep").schedule(DAILY).workInTransaction((context, connection) -> {
                    insert(connection, "never seen");
                    throw new IllegalStateException("broken");
                }));
        assertThat(rounds.pass("sweep")).hasValueSatisfying(run -> {
            assertThat(run.outcome()).isEqualTo(RoundOutcome.FAILED);
            assertThat(run.counted()).isFalse();
        });
        assertThat(instances.counted()).isZero();
        assertThat(effects()).isZero();
        assertThat(rounds.pass("sweep")).as("it rests").isEmpty();
    }

    @Test
    void anExtraRunWhoseTransactionFailsLeavesNoRest() throws Exception {
        ManualRounds rounds = instances.byHand(
                mortal, Round.named("sweep").schedule(DAILY).workInTransaction((context, connection) -> {
                    if (context.extra()) {
                        throw new IllegalStateException("broken");
                    }
                    insert(connection, "run");
                }));
        assertThat(rounds.runNow("sweep"))
                .hasValueSatisfying(run -> assertThat(run.outcome()).isEqualTo(RoundOutcome.FAILED));
        assertThat(rounds.pass("sweep"))
                .hasValueSatisfying(run -> assertThat(run.counted()).isTrue());
    }

    @Test
    void exactlyOnceFailsLoudlyWithoutAFinish() throws Exception {
        ManualRounds rounds = instances.byHand(mortal, noted(Promise.EXACTLY_ONCE, "forgetful"));
        assertThat(rounds.pass("sweep")).hasValueSatisfying(run -> {
            assertThat(run.outcome()).isEqualTo(RoundOutcome.FAILED);
            assertThat(run.error()).contains("returned without a finish");
            assertThat(run.counted()).isFalse();
        });
        assertThat(rounds.pass("sweep")).as("it rests").isEmpty();
    }
}
