package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.Await;
import dev.leasehold.LeaseException;
import dev.leasehold.Schedule;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operators order: an extra run, a slot that is due again, a pause. */
class OrdersTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** So long that no slot begins while a test runs. */
    private static final Duration LONG = Duration.ofDays(300);

    private static final Executor ON_A_THREAD = task -> new Thread(task).start();

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Instances instances = new Instances(database);
    private final List<RoundContext> begun = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        instances.close();
    }

    private Round round() {
        return Round.named("sweep").every(LONG).work(begun::add);
    }

    private RoundStatus ran(Rounds rounds) throws Exception {
        Await.until("the first run", LIMIT, () -> rounds.status().get(0).runs() == 1);
        return rounds.status().get(0);
    }

    @Test
    void anExtraRunCountsForNothingAndLeavesTheGridAsItIs() throws Exception {
        var rounds = instances.start(instances.leases(), "a", round());
        ran(rounds);
        String slot = database.queryForString("select done_slot::text from leases");
        RoundRun run = rounds.runNow("sweep").get(20, TimeUnit.SECONDS).orElseThrow();
        assertThat(run.extra()).isTrue();
        assertThat(run.counted()).isFalse();
        assertThat(run.outcome()).isEqualTo(RoundOutcome.DONE);
        assertThat(begun).hasSize(2);
        assertThat(begun.get(1).extra()).isTrue();
        assertThat(begun.get(1).slot()).isAfter(begun.get(0).slot());
        assertThat(Duration.between(begun.get(1).slot(), Instant.now()))
                .as("the instant of its acquisition")
                .isLessThan(LIMIT);
        assertThat(database.queryForString("select done_slot::text from leases"))
                .isEqualTo(slot);
        assertThat(instances.counted()).isEqualTo(1);
    }

    @Test
    void anExtraRunBeforeTheSlotWasCountedLeavesTheSlotDue() throws Exception {
        ManualRounds rounds = instances.byHand(instances.leases(), round());
        assertThat(rounds.runNow("sweep")).isPresent();
        assertThat(rounds.pass("sweep"))
                .hasValueSatisfying(run -> assertThat(run.counted()).isTrue());
    }

    @Test
    void anExtraRunIsExclusiveLikeAnyOther() throws Exception {
        var works = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        var slow = instances.byHand(
                instances.leases(), Round.named("sweep").every(LONG).work(context -> {
                    works.countDown();
                    mayEnd.await();
                }));
        var running = CompletableFuture.supplyAsync(() -> slow.pass("sweep"), ON_A_THREAD);
        assertThat(works.await(20, TimeUnit.SECONDS)).isTrue();
        ManualRounds other = instances.byHand(instances.leases(), round());
        assertThat(other.runNow("sweep")).isEmpty();
        mayEnd.countDown();
        assertThat(running.get(20, TimeUnit.SECONDS)).isPresent();
        assertThat(other.runNow("sweep")).isPresent();
    }

    @Test
    void anExtraRunInATransactionIsFencedAndStampsNothing() throws Exception {
        database.execute("create table effects (slot timestamptz)");
        ManualRounds rounds = instances.byHand(
                instances.leases(), Round.named("sweep").every(LONG).workInTransaction((context, connection) -> {
                    try (var insert = connection.prepareStatement("insert into effects values (now())")) {
                        insert.executeUpdate();
                    }
                }));
        assertThat(rounds.runNow("sweep")).hasValueSatisfying(run -> {
            assertThat(run.outcome()).isEqualTo(RoundOutcome.DONE);
            assertThat(run.counted()).isFalse();
        });
        assertThat(database.queryForLong("select count(*) from effects")).isEqualTo(1);
        assertThat(instances.counted()).isZero();
    }

    @Test
    void aRoundThatIsNotThereIsRefusedByName() {
        ManualRounds rounds = instances.byHand(instances.leases(), round());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rounds.runNow("swep"))
                .withMessageContaining("swep")
                .withMessageContaining("[sweep]");
    }

    @Test
    void aSlotThatIsMadeDueIsRunOnceMoreByWhoeverLooks() throws Exception {
        var operator = instances.leases();
        ManualRounds one = instances.byHand(instances.leases(), round());
        ManualRounds other = instances.byHand(instances.leases(), round());
        assertThat(one.pass("sweep")).isPresent();
        assertThat(other.pass("sweep")).isEmpty();
        assertThat(operator.makeDue("sweep")).containsExactly("sweep");
        assertThat(other.pass("sweep"))
                .hasValueSatisfying(run -> assertThat(run.counted()).isTrue());
        assertThat(one.pass("sweep")).isEmpty();
        assertThat(begun.get(0).slot()).isEqualTo(begun.get(1).slot());
        assertThat(operator.makeDue("never heard of")).isEmpty();
    }

    @Test
    void whatRunsNowIsNotMadeDueForItCountsWhenItEnds() throws Exception {
        var operator = instances.leases();
        var answered = new CopyOnWriteArrayList<String>();
        ManualRounds rounds = instances.byHand(
                instances.leases(), Round.named("sweep").every(LONG).work(context -> {
                    begun.add(context);
                    answered.addAll(operator.makeDue("sweep"));
                }));
        assertThat(rounds.pass("sweep")).isPresent();
        assertThat(answered).isEmpty();
        assertThat(rounds.pass("sweep")).isEmpty();
    }

    @Test
    void aRestEndsWhenASlotIsMadeDue() throws Exception {
        var leases = instances.leases();
        ManualRounds rounds = instances.byHand(
                leases,
                Round.named("sweep")
                        .every(LONG)
                        .retryAfter(Duration.ofMinutes(30))
                        .work(context -> {
                            begun.add(context);
                            throw new IllegalStateException("broken");
                        }));
        assertThat(rounds.pass("sweep")).isPresent();
        assertThat(rounds.pass("sweep")).isEmpty();
        assertThat(leases.makeDue("sweep")).containsExactly("sweep");
        assertThat(rounds.pass("sweep")).isPresent();
    }

    @Test
    void aRoundsNameAloneMeansAllItsNodes() throws Exception {
        var leases = instances.leases();
        var uptime = Round.named("uptime").every(LONG).scope(Scope.NODE).work(begun::add);
        ManualRounds a = instances.byHand(leases, builder -> builder.node("a"), uptime);
        ManualRounds b = instances.byHand(leases, builder -> builder.node("b"), uptime);
        a.pass("uptime");
        b.pass("uptime");
        assertThat(leases.makeDue("uptime")).containsExactlyInAnyOrder("uptime@a", "uptime@b");
        assertThat(leases.makeDue("up")).as("not a part of a name").isEmpty();
        assertThat(leases.makeDue("uptime@b")).containsExactly("uptime@b");
    }

    @Test
    void aPausedRoundBeginsNowhereUntilItIsResumedAndSaysWhy() throws Exception {
        var leases = instances.leases();
        ManualRounds rounds = instances.byHand(leases, round());
        assertThat(leases.pause("sweep", "the provider is down")).isTrue();
        assertThat(leases.pause("sweep", "for good")).as("it was paused").isFalse();
        assertThat(rounds.pass("sweep")).isEmpty();
        assertThat(rounds.runNow("sweep")).as("nor an extra run").isEmpty();
        assertThat(rounds.status().get(0).pauseReason()).contains("for good");
        assertThat(leases.rows())
                .singleElement()
                .satisfies(row -> assertThat(row.pauseReason()).contains("for good"));
        assertThat(leases.tryAcquire("sweep").lease())
                .as("a plain lease does not notice")
                .hasValueSatisfying(lease -> lease.release());
        assertThat(leases.resume("sweep")).isTrue();
        assertThat(leases.resume("sweep")).isFalse();
        assertThat(rounds.pass("sweep")).isPresent();
        assertThat(rounds.status().get(0).pauseReason()).isEmpty();
    }

    @Test
    void aPauseOfTheRoundHoldsForNodesThatComeLaterToo() throws Exception {
        var leases = instances.leases();
        var uptime = Round.named("uptime").every(LONG).scope(Scope.NODE).work(begun::add);
        ManualRounds a = instances.byHand(leases, builder -> builder.node("a"), uptime);
        ManualRounds b = instances.byHand(leases, builder -> builder.node("b"), uptime);
        a.pass("uptime");
        leases.pause("uptime", "maintenance");
        leases.makeDue("uptime@a");
        assertThat(a.pass("uptime")).isEmpty();
        assertThat(b.pass("uptime")).isEmpty();
        leases.resume("uptime");
        leases.pause("uptime@a", "this node only");
        assertThat(a.pass("uptime")).isEmpty();
        assertThat(b.pass("uptime")).isPresent();
    }

    @Test
    void aRunningRunGoesOnThroughAPauseAndThePauseStays() throws Exception {
        var leases = instances.leases();
        ManualRounds rounds = instances.byHand(
                instances.leases(), Round.named("sweep").every(LONG).work(context -> {
                    begun.add(context);
                    leases.pause("sweep", "enough");
                }));
        assertThat(rounds.pass("sweep"))
                .hasValueSatisfying(run -> assertThat(run.counted()).isTrue());
        leases.makeDue("sweep");
        assertThat(rounds.pass("sweep")).isEmpty();
    }

    @Test
    void aLockedRowIsMadeDueOnceItsLockIsGone() throws Exception {
        var leases = instances.leases();
        ManualRounds rounds = instances.byHand(leases, round());
        rounds.pass("sweep");
        try (Connection other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from leases for update");
            var ordered = CompletableFuture.supplyAsync(() -> leases.makeDue("sweep"), ON_A_THREAD);
            assertThatExceptionOfType(TimeoutException.class)
                    .as("the time is what is tested")
                    .isThrownBy(() -> ordered.get(500, TimeUnit.MILLISECONDS));
            other.rollback();
            assertThat(ordered.get(20, TimeUnit.SECONDS)).containsExactly("sweep");
        }
        assertThat(rounds.pass("sweep")).isPresent();
    }

    @Test
    void whileOneNodeIsLockedTheOthersAreMadeDueOnceOnly() throws Exception {
        var leases = instances.leases();
        var uptime = Round.named("uptime").every(LONG).scope(Scope.NODE).work(begun::add);
        ManualRounds a = instances.byHand(leases, builder -> builder.node("a"), uptime);
        ManualRounds b = instances.byHand(leases, builder -> builder.node("b"), uptime);
        a.pass("uptime");
        b.pass("uptime");
        try (Connection other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from leases where name = 'uptime@a' for update");
            var ordered = CompletableFuture.supplyAsync(() -> leases.makeDue("uptime"), ON_A_THREAD);
            Await.until("it runs", LIMIT, () -> b.pass("uptime").isPresent());
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> ordered.get(20, TimeUnit.SECONDS))
                    .withMessageContaining("locked");
            assertThat(b.pass("uptime")).as("its slot was counted").isEmpty();
            other.rollback();
        }
    }

    @Test
    void aPauseDoesNotWaitForALockedRowForEver() throws Exception {
        var leases = instances.leases();
        ManualRounds rounds = instances.byHand(leases, round());
        rounds.pass("sweep");
        try (Connection other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from leases for update");
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> leases.pause("sweep", "x"))
                    .withMessageContaining("locked");
            other.rollback();
        }
        assertThat(leases.pause("sweep", "x")).isTrue();
    }

    @Test
    void wrongReasonsAreRefused() {
        var leases = instances.leases();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> leases.pause("sweep", " "))
                .withMessageContaining("1 to 500");
        assertThatIllegalArgumentException().isThrownBy(() -> leases.pause("sweep", "x".repeat(501)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> leases.pause("sweep", "a\0b"))
                .withMessageContaining("a\\0b");
        assertThatIllegalArgumentException().isThrownBy(() -> leases.pause("", "x"));
    }

    @Test
    void aRequestOutlivesAClean() throws Exception {
        var leases = instances.leases();
        ManualRounds rounds = instances.byHand(leases, round());
        rounds.pass("sweep");
        leases.makeDue("sweep");
        database.execute("update leases set taken_at = now() - interval '400 days', fence = 1");
        assertThat(leases.cleanUp(Duration.ofDays(1))).isZero();
        assertThat(leases.rows())
                .singleElement()
                .satisfies(row -> assertThat(row.doneSlot()).isEmpty());
        assertThat(rounds.pass("sweep")).isPresent();
    }

    @Test
    void whatIsNotPausedResumesAtOnce() {
        var leases = instances.leases();
        var best = Duration.ofDays(1);
        for (int i = 0; i < 5; i++) {
            long start = System.nanoTime();
            assertThat(leases.resume("never heard of")).isFalse();
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            best = took.compareTo(best) < 0 ? took : best;
        }
        assertThat(best).as("a locked row is waited for longer").isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void aPausedRowIsNotCleanedUp() throws Exception {
        var leases = instances.leases();
        leases.pause("some day", "not yet");
        database.execute("update leases set taken_at = now() - interval '400 days', fence = 1");
        assertThat(leases.cleanUp(Duration.ofDays(1))).isZero();
        leases.resume("some day");
        assertThat(leases.cleanUp(Duration.ofDays(1))).isEqualTo(1);
    }

    @Test
    void aPlainLeaseOfTheSameNameNeverTouchesTheSlot() throws Exception {
        var leases = instances.leases();
        ManualRounds rounds = instances.byHand(leases, round());
        rounds.pass("sweep");
        String slot = database.queryForString("select done_slot::text from leases");
        leases.tryAcquire("sweep").lease().orElseThrow().release();
        assertThat(database.queryForString("select done_slot::text from leases"))
                .isEqualTo(slot)
                .isNotNull();
        assertThat(Optional.ofNullable(leases.tryAcquireSlot("sweep", Schedule.every(LONG))
                        .lease()
                        .orElse(null)))
                .isEmpty();
    }
}
