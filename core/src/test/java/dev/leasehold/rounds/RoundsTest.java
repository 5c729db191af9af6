package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.leasehold.Acquisition;
import dev.leasehold.Await;
import dev.leasehold.Grid;
import dev.leasehold.Leases;
import dev.leasehold.Schedule;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.net.InetAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One counted run per slot, on a real PostgreSQL and with several instances. */
class RoundsTest {

    private static final Duration PERIOD = Duration.ofMillis(500);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** So long that no slot begins while a test runs. */
    private static final Duration LONG = Duration.ofDays(300);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Instances instances = new Instances(database);
    private final List<Rounds> rounds = new ArrayList<>();
    private final List<Instant> slots = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        instances.close();
    }

    private Leases instance() {
        return instances.leases();
    }

    private Rounds start(String node, Round... some) {
        var started = instances.start(instance(), node, some);
        rounds.add(started);
        return started;
    }

    private Round round(RoundWork work) {
        return Round.named("alerts").every(PERIOD).work(work);
    }

    private long counted() throws SQLException {
        return instances.counted();
    }

    private void stopAll() {
        rounds.forEach(one -> assertThat(one.stop(LIMIT)).isEmpty());
    }

    @Test
    void fiveInstancesRunEachSlotOnceAndMissNone() throws Exception {
        var pulse = new Pulse(database);
        for (int i = 0; i < 5; i++) {
            start("node-" + i, round(context -> slots.add(context.slot())));
        }
        Await.until("ten slots", LIMIT, () -> counted() >= 10);
        stopAll();
        pulse.close();
        assertThat(slots).doesNotHaveDuplicates();
        assertThat(counted()).isEqualTo(slots.size());
        List<Instant> sorted = slots.stream().sorted().toList();
        assertThat(new Span(sorted.get(0), sorted.get(sorted.size() - 1)).slots(Grid.every(PERIOD)))
                .filteredOn(slot -> !sorted.contains(slot.from()))
                .as("missed, though the machine did not stand still")
                .noneMatch(slot -> pulse.hadChance(slot, PERIOD.dividedBy(2)));
        assertThat(sorted.get(0).toEpochMilli() % PERIOD.toMillis()).isZero();
    }

    @Test
    void nodeScopeRunsEachSlotOnceOnEachNodeHoweverManyInstancesItHas() throws Exception {
        var perNode = new CopyOnWriteArrayList<String>();
        for (String node : List.of("a", "a", "b")) {
            start(node, Round.named("uptime").every(PERIOD).scope(Scope.NODE).work(context -> {
                assertThat(context.lease().name()).isEqualTo("uptime@" + node);
                perNode.add(node + context.slot());
            }));
        }
        Await.until(
                "five slots on each",
                LIMIT,
                () -> instances.counted("uptime@a") >= 5 && instances.counted("uptime@b") >= 5);
        stopAll();
        assertThat(perNode).doesNotHaveDuplicates();
        assertThat(Set.copyOf(
                        perNode.stream().map(entry -> entry.substring(0, 1)).toList()))
                .containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void aRoundThatThrowsIsCountedAndTheNextSlotRuns() throws Exception {
        var status = start("a", round(context -> {
            slots.add(context.slot());
            if (slots.size() == 1) {
                throw new IllegalStateException("first");
            }
            if (slots.size() == 2) {
                throw new StackOverflowError("second");
            }
        }));
        Await.until("a third run", LIMIT, () -> slots.size() >= 3);
        stopAll();
        assertThat(slots).doesNotHaveDuplicates();
        assertThat(status.status().get(0).failures()).isEqualTo(2);
        assertThat(status.status().get(0).lastOutcome()).contains(RoundOutcome.DONE);
    }

    @Test
    void theSlotsOfAnOverlongRoundAreSkippedAndCountedNotOwed() throws Exception {
        var running = new AtomicInteger();
        RoundWork slow = context -> {
            assertThat(running.incrementAndGet()).isEqualTo(1);
            slots.add(context.slot());
            TimeUnit.MILLISECONDS.sleep(PERIOD.toMillis() * 5 / 2);
            running.decrementAndGet();
        };
        var first = start("a", round(slow));
        Await.until("four runs", LIMIT, () -> counted() >= 4);
        stopAll();
        assertThat(slots).doesNotHaveDuplicates();
        assertThat(Duration.between(slots.get(0), slots.get(3))).isGreaterThanOrEqualTo(PERIOD.multipliedBy(6));
        var status = first.status().get(0);
        assertThat(status.failures()).isZero();
        long passed = Duration.between(slots.get(0), status.lastEnded().orElseThrow())
                .plus(PERIOD)
                .dividedBy(PERIOD);
        assertThat(status.skippedSlots()).isBetween(status.runs() - 1, passed - status.runs() + 1);
    }

    /** All that come while it runs, but for the last, which is run late; by others, if this instance stops early in it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void howManySlotsAnOverlongRunSkipsIsExact(boolean stops) throws Exception {
        Duration period = Duration.ofMillis(100);
        for (int i = 0; i < 5; i++) {
            var told = new AtomicLong();
            var listener = new RoundListener() {
                @Override
                public void skipped(String round, long slots, SkipReason reason) {
                    told.addAndGet(slots);
                }
            };
            var rounds = new AtomicReference<@Nullable ManualRounds>();
            int longer = i * 20;
            try (ManualRounds made = Rounds.on(instance())
                    .listener(listener)
                    .add(Round.named("sweep " + i).every(period).work(context -> {
                        TimeUnit.MILLISECONDS.sleep(250 + longer);
                        if (stops) {
                            Objects.requireNonNull(rounds.get()).close();
                        }
                    }))
                    .byHand()) {
                rounds.set(made);
                RoundRun run = made.pass("sweep " + i).orElseThrow();
                Duration end = run.lateness().plus(run.duration());
                long passed = end.minusNanos(1).dividedBy(period);
                Duration untilNext =
                        period.multipliedBy(end.dividedBy(period) + 1).minus(end);
                boolean isLastRunLate = !stops || untilNext.compareTo(period.dividedBy(2)) > 0;
                assertThat(told.get()).isEqualTo(made.status().get(0).skippedSlots());
                assertThat(told.get()).isEqualTo(isLastRunLate ? passed - 1 : passed);
            }
        }
    }

    @Test
    void anOverlongRoundNeverRunsInParallel() throws Exception {
        var running = new AtomicInteger();
        RoundWork slow = context -> {
            assertThat(running.incrementAndGet()).isEqualTo(1);
            slots.add(context.slot());
            TimeUnit.MILLISECONDS.sleep(PERIOD.toMillis() * 5 / 2);
            running.decrementAndGet();
        };
        var first = start("a", round(slow));
        var second = start("b", round(slow));
        Await.until("four runs", LIMIT, () -> counted() >= 4);
        stopAll();
        assertThat(slots).doesNotHaveDuplicates();
        assertThat(first.status().get(0).failures() + second.status().get(0).failures())
                .isZero();
    }

    @Test
    void whatIsThrownMayThrowWhenItIsLookedAt() throws Exception {
        start("a", round(context -> {
            slots.add(context.slot());
            throw new IllegalStateException() {
                private static final long serialVersionUID = 1L;

                @Override
                public String getMessage() {
                    throw new IllegalStateException("no message");
                }
            };
        }));
        Await.until("a second run", LIMIT, () -> counted() >= 2);
    }

    @Test
    void aSlotWhoseHolderDiedIsRunAgainByAnotherWhoIsTold() throws Exception {
        var dead = instance();
        var grid = Grid.every(LONG);
        var held = dead.tryAcquireSlot("sweep", grid).lease().orElseThrow();
        dead.close();
        instances.runOut("sweep");
        var told = new CopyOnWriteArrayList<Boolean>();
        start("a", Round.named("sweep").every(grid.period()).work(context -> {
            slots.add(context.slot());
            told.add(context.previousDied());
        }));
        Await.until("run again", LIMIT, () -> counted() == 1);
        assertThat(slots).containsExactly(held.slot().orElseThrow().at());
        assertThat(told).containsExactly(true);
    }

    @Test
    void aSlotThatWasCountedIsNotDueAgainAndAnAbandonedOneIs() {
        var one = instance();
        var grid = Grid.every(LONG);
        one.tryAcquireSlot("sweep", grid).lease().orElseThrow().release();
        one.tryAcquireSlot("sweep", grid).lease().orElseThrow().releaseDone();
        assertThat(one.tryAcquireSlot("sweep", grid))
                .isInstanceOfSatisfying(
                        Acquisition.NotDue.class,
                        notDue -> assertThat(notDue.nextSlotIn()).isBetween(Duration.ZERO, LONG));
        assertThat(one.tryAcquire("sweep").lease())
                .as("a plain lease asks for no slot")
                .isPresent();
    }

    /** A grid on which no slot begins soon, nor has just begun. */
    private static Grid halfOver(Duration period) {
        long sinceSlot = Instant.now().toEpochMilli() % period.toMillis();
        long offset = (sinceSlot + period.toMillis() / 2) % period.toMillis();
        return new Grid(period, Duration.ofMillis(offset));
    }

    @Test
    void aShorterPeriodAndAClockThatWasWrongAreDueAtOnce() throws SQLException {
        var one = instance();
        var day = halfOver(Duration.ofDays(1));
        var hour = halfOver(Duration.ofHours(1));
        one.tryAcquireSlot("sweep", day).lease().orElseThrow().releaseDone();
        database.execute("update leases set done_slot = now() - interval '2 hours'");
        assertThat(one.tryAcquireSlot("sweep", day).lease()).isEmpty();
        one.tryAcquireSlot("sweep", hour).lease().orElseThrow().releaseDone();
        assertThat(one.tryAcquireSlot("sweep", hour).lease()).isEmpty();
        database.execute("update leases set done_slot = now() + interval '1 day'");
        one.tryAcquireSlot("sweep", hour).lease().orElseThrow().releaseDone();
        database.execute("update leases set done_slot = '294276-12-31 00:00+00'");
        assertThat(one.tryAcquireSlot("sweep", hour).lease())
                .as("at the end of what a timestamp can say")
                .isPresent();
    }

    @Test
    void anOffsetMovesTheSlots() {
        var grid = new Grid(Duration.ofHours(1), Duration.ofMinutes(17));
        var slot =
                instance().tryAcquireSlot("sweep", grid).lease().orElseThrow().slot();
        assertThat(slot.orElseThrow().at().getEpochSecond() % 3600).isEqualTo(17 * 60);
        assertThat(slot.orElseThrow().previous()).isEmpty();
    }

    @Test
    void stoppingWaitsForTheRunningRoundAndReleasesItsLease() throws Exception {
        var began = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        var one = start("a", round(context -> {
            began.countDown();
            mayEnd.await();
        }));
        assertThat(began.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(one.stop(Duration.ofMillis(50))).containsExactly("alerts");
        assertThat(counted()).as("nothing is released under running work").isZero();
        mayEnd.countDown();
        assertThat(one.stop(LIMIT)).isEmpty();
        assertThat(counted()).isEqualTo(1);
        assertThat(database.queryForString("select (expires_at = 'epoch')::text from leases where name = 'alerts'"))
                .isEqualTo("true");
    }

    @Test
    void idleRoundsStopAtOnce() throws Exception {
        var one = start("a", Round.named("sweep").every(LONG).work(context -> slots.add(context.slot())));
        Await.until("idle", LIMIT, () -> one.status().get(0).runs() == 1);
        long start = System.nanoTime();
        assertThat(one.stop(Duration.ofMinutes(2))).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("not the whole wait")
                .isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void wrongDescriptionsAreRefusedNamingTheValueAndTheRule() {
        RoundWork nothing = context -> {};
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Round.named("a@b").every(PERIOD).work(nothing))
                .withMessageContaining("\"a@b\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Round.named("").every(PERIOD).work(nothing));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Round.named("a\0b").every(PERIOD).work(nothing))
                .withMessageContaining("U+0000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Round.named("a").work(nothing))
                .withMessageContaining("no period");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Round.named("a").every(Duration.ZERO).work(nothing));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Round.named(" \t ").every(PERIOD).work(nothing))
                .withMessageContaining("not blank");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Round.named("x".repeat(10_000)).every(PERIOD).work(nothing))
                .withMessage("the name of a round is \"" + "x".repeat(60)
                        + "...\", with 10000 characters, but must have 1 to 255, not blank");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Round.named("a")
                        .every(PERIOD)
                        .promise(Promise.AT_LEAST_ONCE)
                        .workInTransaction((context, connection) -> {}))
                .withMessageContaining("promise is AT_LEAST_ONCE");
        assertThat(Round.named("a")
                        .every(PERIOD)
                        .promise(Promise.EXACTLY_ONCE)
                        .workInTransaction((context, connection) -> {})
                        .promise())
                .isEqualTo(Promise.EXACTLY_ONCE);
        var builder = Rounds.on(instance()).add(round(nothing));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.add(round(nothing)))
                .withMessageContaining("added twice");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.node(""));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.node(" "));
    }

    @Test
    void wrongCombinationsAreRefusedNamingTheValueAndTheRule() {
        Schedule cron = Schedule.of("cron", after -> after.plusSeconds(1));
        assertRefused(
                b -> b.every(PERIOD).retryAfter(PERIOD),
                "retryAfter is " + PERIOD + ", but must be less than the period");
        assertRefused(b -> b.every(PERIOD).retryAfter(Duration.ZERO), "retryAfter is PT0S, but must be more than zero");
        assertRefused(b -> b.schedule(cron).retryAfter(Duration.ofMillis(-1)), "retryAfter is PT-0.001S, but must be");
        assertRefused(b -> b.every(PERIOD).runTimeout(Duration.ZERO), "runTimeout is PT0S, but must be more than zero");
        assertRefused(b -> b.every(PERIOD).runTimeout(Duration.ofDays(367)), "runTimeout is PT8808H, but must be");
        assertRefused(b -> b.every(PERIOD).deathLimit(0), "deathLimit is 0, but must be at least 1");
        assertRefused(b -> b.every(PERIOD).deathLimit(-3), "deathLimit is -3, but must be at least 1");
        String another = "schedule is " + cron + ", but every, offset and spread describe another one";
        assertRefused(b -> b.schedule(cron).every(PERIOD), another);
        assertRefused(b -> b.schedule(cron).offset(Duration.ZERO), another);
        assertRefused(b -> b.schedule(cron).spread(), another);
        assertRefused(
                b -> b.every(PERIOD).offset(Duration.ZERO).spread(), "offset is PT0S, but spread() chooses another");
        assertRefused(b -> b.every(PERIOD).offset(PERIOD), "offset is " + PERIOD);
        assertRefused(
                b -> b.every(PERIOD).promise(Promise.AT_MOST_ONCE).retryAfter(Duration.ofMillis(1)),
                "retryAfter is PT0.001S, but the promise AT_MOST_ONCE allows no second try");
        assertThat(described(b -> b.every(PERIOD)
                                .retryAfter(PERIOD.minusNanos(1_000))
                                .deathLimit(1))
                        .deathLimit())
                .isEqualTo(1);
    }

    private static Round described(UnaryOperator<Round.Builder> description) {
        return description.apply(Round.named("sweep")).work(context -> {});
    }

    private static void assertRefused(UnaryOperator<Round.Builder> description, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> described(description))
                .withMessageContaining(message);
    }

    @Test
    void theNodeIsTheHostUnlessItIsNamed() throws Exception {
        try (ManualRounds rounds = Rounds.on(instance())
                .add(described(b -> b.every(PERIOD).scope(Scope.NODE)))
                .byHand()) {
            assertThat(rounds.status().get(0).leaseName())
                    .isEqualTo("sweep@" + InetAddress.getLocalHost().getHostName());
        }
    }

    @Test
    @SuppressWarnings("NullAway") // callers without that check pass null
    void whatIsNullIsNamed() {
        assertThatNullPointerException().isThrownBy(() -> Round.named(null)).withMessage("the name of a round");
        var builder = Rounds.on(instance());
        assertThatNullPointerException().isThrownBy(() -> builder.node(null)).withMessage("node");
    }
}
