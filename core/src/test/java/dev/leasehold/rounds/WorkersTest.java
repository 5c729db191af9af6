package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.Await;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rounds of an instance that share few workers. */
class WorkersTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** So long that no slot begins while a test runs. */
    private static final Duration LONG = Duration.ofDays(300);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Instances instances = new Instances(database);
    private final List<String> skipped = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        instances.close();
    }

    private RoundsBuilder noting(RoundsBuilder builder) {
        return builder.listener(new RoundListener() {
            @Override
            public void skipped(String round, long slots, SkipReason reason) {
                skipped.add(round + " " + reason);
            }
        });
    }

    @Test
    void twentyRoundsThatAreDueAtOnceAllRunOnOneWorkerOneAfterTheOther() throws Exception {
        var atATime = new AtomicInteger();
        var most = new AtomicInteger();
        var rounds = new ArrayList<Round>();
        for (int i = 0; i < 20; i++) {
            rounds.add(Round.named("round " + i).every(LONG).work(context -> {
                most.accumulateAndGet(atATime.incrementAndGet(), Math::max);
                TimeUnit.MILLISECONDS.sleep(50);
                atATime.decrementAndGet();
            }));
        }
        instances.start(instances.leases(), builder -> noting(builder).workers(1), rounds.toArray(Round[]::new));
        Await.until("all of them", LIMIT, () -> instances.counted() == 20);
        assertThat(most).hasValue(1);
        assertThat(skipped).isEmpty();
        assertThat(database.queryForLong("select count(distinct name) from counted"))
                .isEqualTo(20);
    }

    @Test
    void slotsThatPassForWantOfAWorkerAreCountedWithTheReasonAndNeverStamped() throws Exception {
        var mayEnd = new CountDownLatch(1);
        var works = new CountDownLatch(1);
        long start = System.nanoTime();
        var started = instances.start(
                instances.leases(),
                builder -> noting(builder).workers(1),
                Round.named("quick").every(Duration.ofMillis(200)).work(context -> {}),
                Round.named("slow").every(LONG).work(context -> {
                    works.countDown();
                    mayEnd.await();
                }));
        assertThat(works.await(20, TimeUnit.SECONDS)).isTrue();
        long before = instances.counted("quick");
        TimeUnit.SECONDS.sleep(3); // fifteen slots pass: that is what is counted
        assertThat(instances.counted("quick"))
                .as("nothing is stamped meanwhile")
                .isEqualTo(before);
        mayEnd.countDown();
        Await.until("it is told", LIMIT, () -> skipped.contains("quick NO_WORKER"));
        long skippedSlots = started.status().get(0).skippedSlots();
        assertThat(skippedSlots)
                .isBetween(5L, Duration.ofNanos(System.nanoTime() - start).dividedBy(Duration.ofMillis(200)));
        Await.until("and it goes on", LIMIT, () -> instances.counted("quick") > before + 2);
    }

    @Test
    void whileOneInstanceHasNoWorkerAnotherRunsTheSlots() throws Exception {
        var mayEnd = new CountDownLatch(1);
        var works = new CountDownLatch(1);
        Round quick = Round.named("quick").every(Duration.ofSeconds(1)).work(context -> {});
        var other = instances.start(instances.leases(), "b", quick);
        Await.until("it runs", LIMIT, () -> other.status().get(0).counted() >= 1);
        var busy = instances.start(
                instances.leases(),
                builder -> noting(builder).workers(1),
                Round.named("slow").every(LONG).work(context -> {
                    works.countDown();
                    mayEnd.await();
                }),
                quick);
        assertThat(works.await(20, TimeUnit.SECONDS)).isTrue();
        Await.until("four slots", LIMIT, () -> other.status().get(0).counted() >= 5);
        mayEnd.countDown();
        Await.until(
                "its look has come", LIMIT, () -> busy.status().get(1).nextDue().isPresent());
        assertThat(busy.stop(LIMIT)).isEmpty();
        assertThat(busy.status().get(1).skippedSlots())
                .as("others ran them, so none was skipped")
                .isLessThanOrEqualTo(slotsWithoutARun("quick"));
    }

    /** Among those of a period of a second: none, unless the machine stood still. */
    private long slotsWithoutARun(String name) throws SQLException {
        return database.queryForLong("select extract(epoch from max(slot) - min(slot)) + 1 - count(*) from counted"
                + " where name = '" + name + "'");
    }

    @Test
    void aRoundThatWaitsForAWorkerForLongIsInTrouble() throws Exception {
        var mayEnd = new CountDownLatch(1);
        var works = new CountDownLatch(1);
        var started = instances.start(
                instances.leases(),
                builder -> builder.workers(1),
                Round.named("slow").every(LONG).work(context -> {
                    works.countDown();
                    mayEnd.await();
                }),
                Round.named("quick").every(Duration.ofSeconds(1)).work(context -> {}));
        assertThat(works.await(20, TimeUnit.SECONDS)).isTrue();
        Await.until("trouble", LIMIT, () -> !started.status().get(1).isHealthy());
        assertThat(started.status().get(1).trouble().orElseThrow())
                .startsWith("no pass for ")
                .endsWith(": it waits for a worker");
        mayEnd.countDown();
        Await.until("well again", LIMIT, () -> started.status().get(1).isHealthy());
    }

    /** Each borrow is a new connection here, so what is seen are statements under way, and some that are just over. */
    @Test
    void aHundredRoundsThatRunHoldNoConnection() throws Exception {
        var running = new CountDownLatch(100);
        var end = new CountDownLatch(1);
        var rounds = new ArrayList<Round>();
        for (int i = 0; i < 100; i++) {
            rounds.add(Round.named("round " + i).every(LONG).work(context -> {
                running.countDown();
                end.await();
            }));
        }
        instances.start(instances.leases(Duration.ofSeconds(6)), builder -> builder, rounds.toArray(Round[]::new));
        assertThat(running.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        var most = new ArrayList<Long>();
        for (int second = 0; second < 3; second++) {
            most.add(mostConnectionsWithinASecond());
        }
        assertThat(Collections.min(most))
                .as("connections at a time, renewals among them, in the best of some seconds")
                .isLessThanOrEqualTo(10);
        assertThat(instances.counted()).as("all of them run yet").isZero();
        end.countDown();
    }

    private long mostConnectionsWithinASecond() throws SQLException {
        long most = 0;
        for (long until = System.nanoTime() + Duration.ofSeconds(1).toNanos(); System.nanoTime() < until; ) {
            most = Math.max(
                    most,
                    database.queryForLong("select count(*) from pg_stat_activity"
                            + " where datname = current_database() and pid <> pg_backend_pid()"));
        }
        return most;
    }

    @Test
    void theThreadsCanBeTheUsers() throws Exception {
        var names = new CopyOnWriteArrayList<String>();
        var round = Round.named("report")
                .every(LONG)
                .work(context -> names.add(Thread.currentThread().getName()));
        instances.start(instances.leases(), builder -> builder.threads(work -> new Thread(work, "the user's")), round);
        Await.until("it ran", LIMIT, () -> !names.isEmpty());
        assertThat(names).containsExactly("the user's");
    }

    @Test
    void noWorkersAtAllAreRefused() {
        var builder = Rounds.on(instances.leases());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.workers(0))
                .withMessage("workers is 0, but must be at least 1");
    }

    @Test
    void workersAreVirtualThreadsWhereJavaHasThem() throws Exception {
        var thread = new CopyOnWriteArrayList<Thread>();
        instances.start(
                instances.leases(),
                "a",
                Round.named("who").every(LONG).work(context -> thread.add(Thread.currentThread())));
        Await.until("it ran", LIMIT, () -> !thread.isEmpty());
        assertThat(thread.get(0).getName()).startsWith("leasehold-round-");
        assertThat(thread.get(0).isDaemon()).isTrue();
        boolean expected = Runtime.version().feature() >= 21;
        assertThat(thread.get(0).getClass().getSimpleName().equals("VirtualThread"))
                .isEqualTo(expected);
    }

    /** As on a machine that has no memory for another thread. */
    @Test
    void slotsThatPassWhileNoThreadCanBeMadeAreCountedToo() throws Exception {
        var isFull = new AtomicBoolean(true);
        var refused = new AtomicInteger();
        var started = instances.start(
                instances.leases(),
                builder -> noting(builder).threads(work -> {
                    if (isFull.get()) {
                        refused.incrementAndGet();
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    return new Thread(work);
                }),
                Round.named("quick").every(Duration.ofMillis(200)).work(context -> {}));
        Await.until("refused twice, a second after the first", LIMIT, () -> refused.get() >= 2);
        assertThat(instances.counted()).isZero();
        isFull.set(false);
        Await.until("it is told", LIMIT, () -> skipped.contains("quick NO_WORKER"));
        assertThat(started.status().get(0).skippedSlots()).isGreaterThanOrEqualTo(4);
        long told = started.status().get(0).skippedSlots();
        long before = instances.counted();
        Await.until("it goes on", LIMIT, () -> instances.counted() > before + 3);
        assertThat(skipped.stream().filter("quick NO_WORKER"::equals))
                .as("told once: %d slots", told)
                .hasSize(1);
    }
}
