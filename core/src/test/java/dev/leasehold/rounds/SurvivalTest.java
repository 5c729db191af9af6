package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Await;
import dev.leasehold.Lease;
import dev.leasehold.LeaseListener;
import dev.leasehold.LeaseMetrics;
import dev.leasehold.Leases;
import dev.leasehold.Schedule;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever is thrown by the work, a listener, a meter or the driver, the round goes on, and its status tells. */
class SurvivalTest {

    private static final Duration PERIOD = Duration.ofMillis(300);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Instances instances = new Instances(database);
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        instances.close();
    }

    private static final class NoClass extends LinkageError {
        private static final long serialVersionUID = 1L;
    }

    private Round quick() {
        return Round.named("quick").every(PERIOD).work(context -> runs.incrementAndGet());
    }

    @Test
    void errorsOfTheWorkAreToldAndTheNextSlotRuns() throws Exception {
        List<Throwable> thrown = List.of(new NoClass(), new StackOverflowError(), new AssertionError("no"));
        var rounds = instances.start(
                instances.leases(), "a", Round.named("quick").every(PERIOD).work(context -> {
                    int run = runs.getAndIncrement();
                    if (run < thrown.size()) {
                        throw (Error) thrown.get(run);
                    }
                }));
        Await.until(
                "it goes on", LIMIT, () -> rounds.status().get(0).lastOutcome().equals(Optional.of(RoundOutcome.DONE)));
        assertThat(rounds.status().get(0).failures()).isEqualTo(3);
        assertThat(rounds.status().get(0).lastSuccess()).isPresent();
    }

    @Test
    void listenersAndMetersThatThrowHurtNobody() throws Exception {
        var told = new CopyOnWriteArrayList<String>();
        var listener = new RoundListener() {
            @Override
            public void started(RoundContext context) {
                told.add("started");
                throw new NoClass();
            }

            @Override
            public void ended(RoundRun run) {
                told.add("ended");
                throw new IllegalStateException("listener");
            }
        };
        var metrics = new LeaseMetrics() {
            @Override
            public void acquired(String name, boolean takenOver) {
                told.add("acquired");
                throw new NoClass();
            }

            @Override
            public void released(String name) {
                told.add("released");
                throw new IllegalStateException("metrics");
            }
        };
        var leases =
                instances.leases(builder -> builder.ttl(Duration.ofMinutes(1)).metrics(metrics));
        var rounds = instances.start(leases, builder -> builder.listener(listener), quick());
        Await.until("three runs", LIMIT, () -> rounds.status().get(0).counted() >= 3);
        assertThat(told).contains("started", "ended", "acquired", "released");
        assertThat(rounds.status().get(0).isHealthy()).isTrue();
    }

    /** Of a library whose messages need what is not there any more. */
    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    @Test
    void whatThrowsItselfWhenItIsToldHurtsNobodyEither() throws Exception {
        var told = new CopyOnWriteArrayList<String>();
        var listener = new RoundListener() {
            @Override
            public void started(RoundContext context) {
                told.add("started");
                throw new Unspeakable();
            }

            @Override
            public void ended(RoundRun run) {
                told.add("ended");
                throw new Unspeakable();
            }
        };
        var ofLeases = new LeaseListener() {
            @Override
            public void gained(Lease lease) {
                told.add("gained");
                throw new Unspeakable();
            }

            @Override
            public void released(Lease lease) {
                told.add("freed");
            }
        };
        var metrics = new LeaseMetrics() {
            @Override
            public void acquired(String name, boolean takenOver) {
                told.add("acquired");
                throw new Unspeakable();
            }

            @Override
            public void released(String name) {
                told.add("released");
                throw new Unspeakable();
            }
        };
        var leases = instances.leases(
                builder -> builder.ttl(Duration.ofMinutes(1)).listener(ofLeases).metrics(metrics));
        Schedule broken = Schedule.of("broken", after -> {
            throw new Unspeakable();
        });
        var rounds = instances.start(
                leases,
                builder -> builder.listener(listener),
                quick(),
                Round.named("broken").schedule(broken).work(context -> {}));
        Await.until("three runs", LIMIT, () -> rounds.status().get(0).counted() >= 3);
        Await.until(
                "all are told",
                LIMIT,
                () -> told.containsAll(List.of("started", "ended", "gained", "freed", "acquired", "released")));
        assertThat(rounds.status().get(0).isHealthy()).isTrue();
        Await.until(
                "looks that fail are a trouble",
                LIMIT,
                () -> !rounds.status().get(1).isHealthy());
    }

    /** Throws what it is told to, and hands out connections else. */
    private static final class Throwing extends ForwardingDataSource {

        private final AtomicReference<@Nullable Throwable> what = new AtomicReference<>();

        Throwing(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Throwable thrown = what.get();
            if (thrown instanceof Error error) {
                throw error;
            }
            if (thrown instanceof RuntimeException exception) {
                throw exception;
            }
            if (thrown instanceof SQLException exception) {
                throw exception;
            }
            return super.getConnection();
        }
    }

    @Test
    void aDriverThatThrowsForAWhileIsATroubleThatPasses() throws Exception {
        var source = new Throwing(database.dataSource());
        try (Leases leases = Leases.on(source).ttl(Duration.ofMinutes(1)).build()) {
            var rounds = instances.start(leases, "a", quick());
            for (Throwable thrown :
                    List.of(new NoClass(), new SQLException("away"), new IllegalStateException("odd"))) {
                long before = runs.get();
                Await.until("it runs", LIMIT, () -> runs.get() >= before + 2);
                source.what.set(thrown);
                Await.until(
                        "it is in trouble", LIMIT, () -> !rounds.status().get(0).isHealthy());
                assertThat(rounds.status().get(0).trouble().orElseThrow()).contains("passes failed");
                source.what.set(null);
                Await.until(
                        "it is well again", LIMIT, () -> rounds.status().get(0).isHealthy());
            }
            assertThat(rounds.stop(LIMIT)).isEmpty();
        }
    }

    @Test
    void aDatabaseThatWasAwayIsAskedAgainWithPausesThatAreBounded() {
        var pauses = new Pauses(Schedule.every(Duration.ofHours(1)));
        Duration before = Duration.ZERO;
        for (int errors = 1; errors <= 6; errors++) {
            Duration pause = pauses.afterErrors(errors);
            assertThat(pause).isGreaterThanOrEqualTo(before.minusMillis(200));
            before = pause;
        }
        assertThat(pauses.afterErrors(1)).isBetween(Duration.ofSeconds(1), Duration.ofMillis(1_200));
        assertThat(pauses.afterErrors(1_000_000)).isBetween(Duration.ofSeconds(30), Duration.ofMillis(30_200));
        var often = new Pauses(Schedule.every(Duration.ofSeconds(10)));
        assertThat(often.afterErrors(1_000_000)).isBetween(Duration.ofSeconds(10), Duration.ofMillis(10_200));
    }

    @Test
    void aRunThatDoesNotEndIsATrouble() throws Exception {
        var mayEnd = new CountDownLatch(1);
        var rounds = instances.start(
                instances.leases(),
                "a",
                Round.named("stuck").every(Duration.ofSeconds(1)).work(context -> {
                    mayEnd.await();
                }));
        Await.until("it runs", LIMIT, () -> rounds.status().get(0).running());
        assertThat(rounds.status().get(0).isHealthy()).isTrue();
        Await.until("it is in trouble", LIMIT, () -> !rounds.status().get(0).isHealthy());
        assertThat(rounds.status().get(0).trouble().orElseThrow()).startsWith("its run has not ended for ");
        mayEnd.countDown();
        Await.until("it is well again", LIMIT, () -> rounds.status().get(0).isHealthy());
    }

    @Test
    void theStatusTellsWhatHappened() throws Exception {
        var rounds = instances.start(
                instances.leases(),
                "n",
                Round.named("sweep")
                        .every(Duration.ofDays(300))
                        .scope(Scope.NODE)
                        .work(context -> {}));
        Await.until("it ran", LIMIT, () -> rounds.status().get(0).nextDue().isPresent());
        var status = rounds.status().get(0);
        assertThat(status.round()).isEqualTo("sweep");
        assertThat(status.leaseName()).isEqualTo("sweep@n");
        assertThat(status.running()).isFalse();
        assertThat(status.lastOutcome()).contains(RoundOutcome.DONE);
        assertThat(status.lastStarted().orElseThrow())
                .isBeforeOrEqualTo(status.lastEnded().orElseThrow());
        assertThat(status.lastSuccess()).isEqualTo(status.lastEnded());
        assertThat(status.lastDuration()).isPresent();
        assertThat(status.runs()).isEqualTo(1);
        assertThat(status.counted()).isEqualTo(1);
        assertThat(status.skippedSlots()).isZero();
        assertThat(Duration.between(
                        status.lastSlot().orElseThrow(), status.nextDue().orElseThrow()))
                .as("the next slot, as this machine's clock tells it")
                .isBetween(
                        Duration.ofDays(300).minusMinutes(1),
                        Duration.ofDays(300).plusMinutes(1));
        assertThat(status.lastPass()).isPresent();
        assertThat(status.trouble()).isEmpty();
    }
}
