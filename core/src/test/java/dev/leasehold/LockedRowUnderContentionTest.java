package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A row locked by another until it has expired, wanted by its holder and by others who try all the time. */
class LockedRowUnderContentionTest {

    private static final Duration TTL = Duration.ofSeconds(1);

    private final TestDatabase database = TestPostgres.freshDatabase();

    private HikariDataSource pool() {
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(8);
        return new HikariDataSource(config);
    }

    private boolean hasExpired(Lease lease) throws Exception {
        return database.queryForLong("select count(*) from leases where expires_at < clock_timestamp() and name = '"
                        + lease.name() + "'")
                == 1;
    }

    @Test
    void onceTheLockGoesTheHolderIsRenewedThoughOthersTryAllTheTime() throws Exception {
        try (var pool = pool();
                var leases = Leases.on(pool).ttl(TTL).build();
                var contender = Leases.on(pool).ttl(TTL).build()) {
            var states = new ArrayList<LeaseState>();
            for (int i = 0; i < 8; i++) {
                var lease = leases.tryAcquire("locked " + i).lease().orElseThrow();
                try (var locker = database.connect()) {
                    locker.setAutoCommit(false);
                    locker.createStatement()
                            .execute("select * from leases where name = '" + lease.name() + "' for update");
                    Await.until("expired", TTL.multipliedBy(2), () -> hasExpired(lease));
                    try (var contenders = new Contenders(lease.name(), contender)) {
                        TimeUnit.MILLISECONDS.sleep(200 + 20 * i);
                        locker.rollback();
                        Await.until(
                                "held again, or lost",
                                TTL.multipliedBy(6),
                                () -> lease.isHeld() || !contenders.wins.isEmpty());
                        states.add(contenders.wins.isEmpty() ? lease.state() : LeaseState.LOST);
                        contenders.wins.forEach(Lease::release);
                    }
                }
                lease.release();
            }
            assertThat(states).containsOnly(LeaseState.HELD);
        }
    }

    /** Tries all the time, until closed. */
    private static final class Contenders implements AutoCloseable {

        private final List<Lease> wins = new CopyOnWriteArrayList<>();
        private final AtomicBoolean over = new AtomicBoolean();
        private final Thread thread;

        Contenders(String name, Leases leases) {
            thread = new Thread(() -> contend(name, leases), "contender");
            thread.start();
        }

        private void contend(String name, Leases leases) {
            while (!over.get()) {
                try {
                    leases.tryAcquire(name).lease().ifPresent(wins::add);
                } catch (LeaseException noAnswerInTime) {
                    // the next one follows
                }
            }
        }

        @Override
        public void close() {
            over.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
