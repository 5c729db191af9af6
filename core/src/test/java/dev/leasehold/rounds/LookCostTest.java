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
import java.util.concurrent.TimeUnit;
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

    @Test
    void anIdleInstanceSendsOneStatementASlotAndNoneBetween() throws Exception {
        var source = new Counting(database.dataSource());
        try (var instances = new Instances(database);
                Leases idle = Leases.on(source).build()) {
            // another holds the lease all the time, so that there is nothing to win
            assertThat(instances.leases().tryAcquire("sweep").lease()).isPresent();
            var rounds = instances.start(
                    idle, "a", Round.named("sweep").every(Duration.ofSeconds(1)).work(context -> {}));
            Await.until(
                    "the first look",
                    Duration.ofSeconds(30),
                    () -> rounds.status().get(0).nextDue().isPresent());
            int before = source.borrowed.get();
            long start = System.nanoTime();
            TimeUnit.SECONDS.sleep(8); // how much is asked in that time is what is measured
            int asked = source.borrowed.get() - before;
            double slots = (System.nanoTime() - start) / 1e9;
            rounds.stop(Duration.ofSeconds(10));
            assertThat((double) asked).isBetween(slots / 2, slots + 1.5);
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
