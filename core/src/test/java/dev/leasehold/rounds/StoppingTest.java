package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.Await;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The end of an instance: what runs ends in peace, or is interrupted, or keeps its lease. */
class StoppingTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofDays(300);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Instances instances = new Instances(database);
    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final CountDownLatch works = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @AfterEach
    void close() {
        mayEnd.countDown();
        instances.close();
    }

    private Round waiting(Promise promise) {
        return Round.named("sweep").every(LONG).promise(promise).work(context -> {
            begun.add("first");
            works.countDown();
            mayEnd.await();
        });
    }

    private void await() throws InterruptedException {
        assertThat(works.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aRunThatTakesLongerThanALeaseIsRenewedWhileItIsWaitedFor() throws Exception {
        var rounds = instances.start(instances.leases(Duration.ofSeconds(5)), "a", waiting(Promise.AT_LEAST_ONCE));
        await();
        String firstEnd = database.queryForString("select taken_at + interval '6 seconds' from leases");
        instances.start(
                instances.leases(Duration.ofSeconds(5)),
                "b",
                Round.named("sweep").every(LONG).work(context -> begun.add("second")));
        var stopped = CompletableFuture.supplyAsync(() -> rounds.stop(LIMIT), task -> new Thread(task).start());
        Await.until(
                "its first lease would have run out, and another had a second to take over",
                LIMIT,
                () -> "t".equals(database.queryForString("select clock_timestamp() > '" + firstEnd + "'")));
        assertThat(stopped).isNotDone();
        mayEnd.countDown();
        assertThat(stopped.get(20, TimeUnit.SECONDS)).isEmpty();
        assertThat(instances.counted()).isEqualTo(1);
        assertThat(begun).containsExactly("first");
    }

    @Test
    void aRunThatIsInterruptedLeavesItsSlotDueAndOthersRunItAtOnce() throws Exception {
        var rounds = instances.start(instances.leases(), "a", waiting(Promise.AT_LEAST_ONCE));
        await();
        assertThat(rounds.stop(Duration.ofMillis(100), Duration.ofSeconds(10))).isEmpty();
        assertThat(rounds.status().get(0).lastOutcome()).contains(RoundOutcome.STOPPED);
        assertThat(instances.counted()).isZero();
        ManualRounds other = instances.byHand(
                instances.leases(), Round.named("sweep").every(LONG).work(context -> begun.add("second")));
        assertThat(other.pass("sweep"))
                .hasValueSatisfying(run -> assertThat(run.counted()).isTrue());
        assertThat(begun).containsExactly("first", "second");
    }

    @Test
    void anInterruptedRunOfAtMostOnceIsNotRunAgain() throws Exception {
        var rounds = instances.start(instances.leases(), "a", waiting(Promise.AT_MOST_ONCE));
        await();
        assertThat(rounds.stop(Duration.ZERO, Duration.ofSeconds(10))).isEmpty();
        ManualRounds other = instances.byHand(
                instances.leases(),
                Round.named("sweep").every(LONG).promise(Promise.AT_MOST_ONCE).work(context -> begun.add("second")));
        assertThat(other.pass("sweep")).isEmpty();
        assertThat(begun).containsExactly("first");
    }

    @Test
    void aRunThatIgnoresItsInterruptKeepsItsLeaseAndIsNamed() throws Exception {
        var rounds = instances.start(
                instances.leases(), "a", Round.named("sweep").every(LONG).work(context -> {
                    works.countDown();
                    while (mayEnd.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                }));
        await();
        assertThat(rounds.stop(Duration.ofMillis(50), Duration.ofMillis(50))).containsExactly("sweep");
        assertThat(database.queryForLong("select count(*) from leases where expires_at > now()"))
                .isEqualTo(1);
        mayEnd.countDown();
        assertThat(rounds.stop(LIMIT)).isEmpty();
        assertThat(database.queryForLong("select count(*) from leases where expires_at = 'epoch'"))
                .isEqualTo(1);
    }

    @Test
    void aNegativeWaitIsRefusedAndStopsNothing() throws Exception {
        var rounds = instances.start(instances.leases(), "a", waiting(Promise.AT_LEAST_ONCE));
        await();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rounds.stop(Duration.ofMillis(-1)))
                .withMessage("timeout is PT-0.001S, but must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rounds.stop(Duration.ZERO, Duration.ofSeconds(-1)))
                .withMessageContaining("grace is PT-1S");
        assertThat(rounds.isStopped()).isFalse();
    }

    @Test
    void idleRoundsStopInMuchLessThanASecond() throws Exception {
        Duration best = LIMIT;
        for (int i = 0; i < 5; i++) {
            var rounds = instances.start(
                    instances.leases(), "a", Round.named("sweep").every(LONG).work(context -> begun.add("run")));
            Await.until(
                    "it has looked",
                    LIMIT,
                    () -> rounds.status().get(0).nextDue().isPresent());
            long start = System.nanoTime();
            assertThat(rounds.stop(Duration.ofSeconds(10))).isEmpty();
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            best = took.compareTo(best) < 0 ? took : best;
        }
        assertThat(best).isLessThan(Duration.ofMillis(200));
        assertThat(begun).hasSize(1);
    }

    @Test
    void afterAStopNothingBeginsAndTheBuilderStartsAgain() throws Exception {
        var leases = instances.leases();
        var builder = Rounds.on(leases)
                .node("a")
                .add(Round.named("quick").every(Duration.ofMillis(100)).work(context -> begun.add("run")));
        var first = builder.start();
        Await.until("it runs", LIMIT, () -> begun.size() >= 2);
        assertThat(first.stop(LIMIT)).isEmpty();
        int before = begun.size();
        long counted = instances.counted();
        assertThat(first.runNow("quick").get(20, TimeUnit.SECONDS)).isEmpty();
        var second = builder.start();
        Await.until("it runs again", LIMIT, () -> instances.counted() >= counted + 2);
        assertThat(second.stop(LIMIT)).isEmpty();
        assertThat(begun).hasSizeGreaterThan(before);
        assertThat(instances.counted()).isEqualTo(begun.size());
    }

    /** Of the slots from the one of a run that a stop waits for to the next that is run: how many are neither run nor told. */
    private long forgottenSlots(String name) throws Exception {
        Duration period = Duration.ofSeconds(2);
        var slot = new CompletableFuture<Instant>();
        var end = new CountDownLatch(1);
        var first = instances.start(
                instances.leases(), "a", Round.named(name).every(period).work(context -> {
                    slot.complete(context.slot());
                    end.await();
                }));
        Instant ran = slot.get(30, TimeUnit.SECONDS);
        var others = new CompletableFuture<Instant>();
        var other = instances.start(
                instances.leases(),
                "b",
                Round.named(name).every(period).work(context -> others.complete(context.slot())));
        Await.until(
                "the other finds the next slot held",
                LIMIT,
                () -> other.status()
                        .get(0)
                        .lastPass()
                        .filter(at -> at.isAfter(ran.plus(period)))
                        .isPresent());
        var stopped = CompletableFuture.supplyAsync(() -> first.stop(LIMIT), task -> new Thread(task).start());
        Await.until("it stops", LIMIT, first::isStopped);
        end.countDown();
        assertThat(stopped.get(30, TimeUnit.SECONDS)).isEmpty();
        Instant next = others.get(30, TimeUnit.SECONDS);
        assertThat(other.stop(LIMIT)).isEmpty();
        return Duration.between(ran, next).dividedBy(period)
                - 1
                - first.status().get(0).skippedSlots();
    }

    /** As at every deploy. A machine that stands still for the rest of that slot may keep the other from it. */
    @Test
    void theSlotThatCameWhileAStoppedRunWentOnIsRunByAnotherOrTold() throws Exception {
        long forgotten = forgottenSlots("first");
        for (int i = 0; i < 2 && forgotten > 0; i++) {
            forgotten = forgottenSlots("again " + i);
        }
        assertThat(forgotten).isNotPositive();
    }

    /** Who has found it dead and stops before it begins: the death is told later, by the one who begins. */
    @ParameterizedTest
    @EnumSource(
            value = Promise.class,
            names = {"AT_LEAST_ONCE", "AT_MOST_ONCE"})
    void aRunThatIsStoppedJustBeforeItsWorkGivesItsSlotBack(Promise promise) throws Exception {
        var round = Round.named("sweep").every(LONG).promise(promise).work(context -> begun.add("run"));
        var dead = instances.leases();
        assertThat(dead.tryAcquireSlot("sweep", round.schedule()).lease()).isPresent();
        dead.close();
        instances.runOut("sweep");
        var listener = new RoundListener() {
            @Override
            public void died(RoundRun run) {
                works.countDown();
                try {
                    mayEnd.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        var rounds = instances.start(instances.leases(), builder -> builder.listener(listener), round);
        await();
        assertThat(rounds.stop(Duration.ZERO, Duration.ZERO)).containsExactly("sweep");
        mayEnd.countDown();
        assertThat(rounds.stop(LIMIT)).isEmpty();
        assertThat(rounds.status().get(0).lastOutcome()).contains(RoundOutcome.STOPPED);
        assertThat(begun).isEmpty();
        assertThat(database.queryForString("select done_slot::text from leases"))
                .isNull();
        assertThat(instances.byHand(instances.leases(), round).pass("sweep"))
                .hasValueSatisfying(run -> assertThat(run.counted()).isTrue());
        assertThat(begun).containsExactly("run");
    }

    /** It would free the lease under the work, or keep it for ever. */
    @Test
    void theLeaseThatAStopLeavesBehindIsNeitherReleasedNorRenewedWhenTheLeasesAreClosed() throws Exception {
        var leases =
                instances.leases(builder -> builder.ttl(Duration.ofMinutes(5)).renewEvery(Duration.ofMillis(200)));
        var rounds = instances.start(leases, "a", waiting(Promise.AT_LEAST_ONCE));
        await();
        assertThat(rounds.stop(Duration.ZERO)).containsExactly("sweep");
        String acquired = database.queryForString("select expires_at from leases");
        Await.until(
                "it is renewed after the stop",
                LIMIT,
                () -> !Objects.equals(database.queryForString("select expires_at from leases"), acquired));
        leases.close();
        String left = database.queryForString("select expires_at from leases");
        TimeUnit.SECONDS.sleep(1); // five renewals would have come: that there is none is what is seen
        assertThat(database.queryForString("select expires_at from leases")).isEqualTo(left);
        assertThat(database.queryForLong("select count(*) from leases where expires_at > clock_timestamp()"))
                .isEqualTo(1);
        assertThat(instances
                        .byHand(
                                instances.leases(),
                                Round.named("sweep").every(LONG).work(context -> begun.add("second")))
                        .pass("sweep"))
                .isEmpty();
        assertThat(begun).containsExactly("first");
    }
}
