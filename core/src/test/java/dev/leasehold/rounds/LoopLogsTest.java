package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Await;
import dev.leasehold.Leases;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What the loops of rounds log when they cannot look, and when they end. Reads the log of its JVM, and so runs alone. */
@Isolated
class LoopLogsTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofDays(300);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Instances instances = new Instances(database);
    private final CapturedLog log = new CapturedLog();

    @AfterEach
    void close() {
        instances.close();
        log.close();
    }

    private List<String> lines(String text) {
        return log.lines(text);
    }

    private Rounds five(Leases leases) throws Exception {
        var rounds = instances.start(
                leases,
                "a",
                IntStream.range(0, 5)
                        .mapToObj(i -> Round.named("quick-" + i)
                                .every(Duration.ofMillis(100))
                                .work(context -> {}))
                        .toArray(Round[]::new));
        Await.until("all run", LIMIT, () -> rounds.status().stream().allMatch(status -> status.runs() > 0));
        return rounds;
    }

    @Test
    void looksThatFailAreToldOnceForAllRoundsAndOnceWhenAllIsWellAgain() throws Exception {
        var rounds = five(instances.leases());
        database.execute("alter table leases rename to away");
        Await.until(
                "all fail",
                LIMIT,
                () -> rounds.status().stream()
                        .allMatch(status -> status.trouble().isPresent()));
        assertThat(lines("could not look whether it is due"))
                .singleElement()
                .asString()
                .contains("WARN")
                .contains("the next pass follows in");
        assertThat(lines("can look again")).isEmpty();
        database.execute("alter table away rename to leases");
        Await.until("told", LIMIT, () -> !lines("can look again").isEmpty());
        Await.until("all are well", LIMIT, () -> rounds.status().stream().allMatch(RoundStatus::isHealthy));
        assertThat(lines("can look again")).hasSize(1);
        assertThat(rounds.stop(LIMIT)).isEmpty();
    }

    @Test
    void roundsWhoseLeasesAreClosedEndWithOneLineForAll() throws Exception {
        var leases = instances.leases();
        var rounds = five(leases);
        leases.close();
        Await.until(
                "none looks any more",
                LIMIT,
                () -> rounds.status().stream()
                        .allMatch(status -> status.trouble()
                                .filter(trouble -> trouble.contains("no pass for"))
                                .isPresent()));
        assertThat(lines("the leases are closed")).singleElement().asString().contains("WARN");
        assertThat(rounds.stop(Duration.ZERO)).isEmpty();
    }

    /** Waits in {@code getConnection}, as an exhausted pool does. */
    private static final class Hanging extends ForwardingDataSource {

        private final CountDownLatch waits = new CountDownLatch(1);
        private final CountDownLatch goesOn = new CountDownLatch(1);
        private volatile boolean isHanging;

        Hanging(TestDatabase database) {
            super(database.dataSource());
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (isHanging) {
                waits.countDown();
                try {
                    goesOn.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new SQLException(e);
                }
            }
            return super.getConnection();
        }
    }

    /** Paused rounds look for each slot and run none, so what hangs from then on is no release of a run. */
    private static void pauseAndAwait(Leases leases, Rounds rounds, String... names) throws Exception {
        for (String name : names) {
            leases.pause(name, "so that it only looks");
        }
        Await.until(
                "all are paused",
                LIMIT,
                () -> rounds.status().stream()
                        .filter(status -> List.of(names).contains(status.round()))
                        .allMatch(status -> status.pauseReason().isPresent() && !status.running()));
    }

    @Test
    void idleRoundsWhoseLooksHangStopSoonAndAreNotNamedAsRunning() throws Exception {
        var source = new Hanging(database);
        try (var leases = Leases.on(source).ttl(Duration.ofMinutes(2)).build()) {
            var rounds = five(leases);
            pauseAndAwait(leases, rounds, "quick-0", "quick-1", "quick-2", "quick-3", "quick-4");
            source.isHanging = true;
            assertThat(source.waits.await(20, TimeUnit.SECONDS)).isTrue();
            long start = System.nanoTime();
            assertThat(rounds.stop(Duration.ofSeconds(20))).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            assertThat(lines("did not end")).isEmpty();
            assertThat(lines("could not look")).isEmpty();
            source.goesOn.countDown();
        }
    }

    @Test
    void aStopThatMayNotWaitNamesOnlyRuns() throws Exception {
        var source = new Hanging(database);
        try (var leases = Leases.on(source).ttl(Duration.ofMinutes(2)).build()) {
            var mayEnd = new CountDownLatch(1);
            var works = new CountDownLatch(1);
            var rounds = instances.start(
                    leases,
                    "a",
                    Round.named("quick").every(Duration.ofMillis(100)).work(context -> {}),
                    Round.named("long").every(LONG).work(context -> {
                        works.countDown();
                        mayEnd.await();
                    }));
            assertThat(works.await(20, TimeUnit.SECONDS)).isTrue();
            pauseAndAwait(leases, rounds, "quick");
            source.isHanging = true;
            assertThat(source.waits.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(rounds.stop(Duration.ZERO)).containsExactly("long");
            assertThat(lines("did not end within PT0S: their leases are not released"))
                    .singleElement()
                    .asString()
                    .contains("[long]");
            source.goesOn.countDown();
            source.isHanging = false;
            mayEnd.countDown();
            assertThat(rounds.stop(LIMIT)).isEmpty();
        }
    }

    @Test
    void aStopOnAnInterruptedThreadInterruptsTheRunsAndDoesNotSayThatItHasWaited() throws Exception {
        var works = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        var rounds = instances.start(
                instances.leases(), "a", Round.named("sweep").every(LONG).work(context -> {
                    works.countDown();
                    try {
                        mayEnd.await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                }));
        assertThat(works.await(20, TimeUnit.SECONDS)).isTrue();
        Thread.currentThread().interrupt();
        List<String> unused = rounds.stop(Duration.ofSeconds(5), Duration.ofSeconds(1));
        assertThat(Thread.interrupted()).as("the flag is kept").isTrue();
        assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(lines("the wait was interrupted")).isNotEmpty();
        assertThat(lines("PT6S")).isEmpty();
        assertThat(rounds.stop(LIMIT)).isEmpty();
        assertThat(rounds.status().get(0).lastOutcome()).contains(RoundOutcome.STOPPED);
    }
}
