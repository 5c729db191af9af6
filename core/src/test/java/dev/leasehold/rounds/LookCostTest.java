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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What a round costs an instance that has nothing to run. */
class LookCostTest {

    private final TestDatabase database = TestPostgres.freshDatabase();

    /** Counts how often a connection is borrowed: once a statement. */
    private static final class Counting extends ForwardingDataSource {

        private final AtomicInteger borrowed = new AtomicInteger();

        Counting(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            borrowed.incrementAndGet();
            return super.getConnection();
        }
    }

    /** How many statements an instance sends a slot that has nothing to run, in five slots of a second. */
    private double statementsASlot(Counting source, Leases idle) throws Exception {
        try (var rounds = Rounds.on(idle)
                .node("a")
                .add(Round.named("sweep").every(Duration.ofSeconds(1)).work(context -> {}))
                .start()) {
            Await.until(
                    "the first look",
                    Duration.ofSeconds(30),
                    () -> rounds.status().get(0).nextDue().isPresent());
            int before = source.borrowed.get();
            long start = System.nanoTime();
            TimeUnit.SECONDS.sleep(5); // how much is asked in that time is what is measured
            int asked = source.borrowed.get() - before;
            return asked * 1e9 / (System.nanoTime() - start);
        }
    }

    /** Others run the slots, and count them: of that the database is told here twenty times a second. */
    @Test
    void anIdleInstanceSendsOneStatementASlotAndNoneBetween() throws Exception {
        var source = new Counting(database.dataSource());
        try (Leases idle = Leases.on(source).build()) {
            assertThat(idle.tryAcquireSlot("sweep", Schedule.every(Duration.ofSeconds(1)))
                            .lease())
                    .hasValueSatisfying(Lease::releaseDone);
            var isOver = new AtomicBoolean();
            var others = CompletableFuture.runAsync(
                    () -> {
                        try (Connection connection = database.connect();
                                var count = connection.prepareStatement(
                                        "update leases set done_slot = clock_timestamp() + interval '400 ms'")) {
                            while (!isOver.get()) {
                                count.executeUpdate();
                                TimeUnit.MILLISECONDS.sleep(50);
                            }
                        } catch (SQLException | InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    },
                    task -> new Thread(task).start());
            double asked;
            try {
                asked = statementsASlot(source, idle);
            } finally {
                isOver.set(true);
            }
            others.get(30, TimeUnit.SECONDS);
            assertThat(asked).isBetween(0.2, 1.6);
        }
    }

    /** It could end without having counted the slot. */
    @Test
    void whileAnotherHoldsTheLeaseThereAreTwoStatementsASlot() throws Exception {
        var source = new Counting(database.dataSource());
        try (var instances = new Instances(database);
                Leases idle = Leases.on(source).build()) {
            assertThat(instances.leases().tryAcquire("sweep").lease()).isPresent();
            assertThat(statementsASlot(source, idle)).isBetween(0.4, 2.6);
        }
    }

    @Test
    void aLookIsOneStatementWhateverItFinds() throws Exception {
        var source = new Counting(database.dataSource());
        var slow = Schedule.every(Duration.ofDays(300));
        try (Leases idle = Leases.on(source).build();
                Leases other = Leases.on(database.dataSource()).build()) {
            assertThat(idle.tryAcquireSlot("sweep", slow).lease()).hasValueSatisfying(Lease::releaseDone);
            int before = source.borrowed.get();
            assertThat(idle.tryAcquireSlot("sweep", slow)).isInstanceOf(Acquisition.NotDue.class);
            other.pause("sweep", "enough");
            assertThat(idle.tryAcquireSlot("sweep", slow)).isInstanceOf(Acquisition.Paused.class);
            other.resume("sweep");
            other.makeDue("sweep");
            assertThat(other.tryAcquireSlot("sweep", slow).lease()).isPresent();
            assertThat(idle.tryAcquireSlot("sweep", slow)).isInstanceOf(Acquisition.Busy.class);
            assertThat(source.borrowed.get() - before).isEqualTo(3);
        }
    }

    @Test
    void aLookComesAtLeastOnceAMinuteHoweverLongThePeriod() {
        var daily = new Pauses(Schedule.every(Duration.ofDays(1)));
        assertThat(daily.until(Duration.ofHours(20))).isBetween(Duration.ofMinutes(1), Duration.ofMillis(60_200));
        assertThat(daily.until(Duration.ofSeconds(5))).isBetween(Duration.ofSeconds(5), Duration.ofMillis(5_200));
        assertThat(daily.until(Duration.ZERO)).isBetween(Duration.ofMillis(50), Duration.ofMillis(250));
        var quick = new Pauses(Schedule.every(Duration.ofMillis(100)));
        assertThat(quick.until(Duration.ofMillis(80))).isBetween(Duration.ofMillis(80), Duration.ofMillis(90));
    }
}
