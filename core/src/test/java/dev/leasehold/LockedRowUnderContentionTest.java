package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A row locked by another until it has expired, wanted by its holder and by others who try all the time. */
class LockedRowUnderContentionTest {

    private static final Duration TTL = Duration.ofSeconds(2);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int TIMES = 5;
    private static final int TRIES = 15;

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
                var contender = Leases.on(pool).build()) {
            var states = new ArrayList<LeaseState>();
            for (int i = 0; i < TRIES && states.size() < TIMES; i++) {
                var lease = leases.tryAcquire("locked " + i, LIMIT).lease().orElseThrow();
                stateOnceTheLockGoes(lease, contender).ifPresent(states::add);
                lease.release();
            }
            assertThat(states).hasSize(TIMES).containsOnly(LeaseState.HELD);
        }
    }

    /** Empty if the holder may not have stood in line at that moment: it waits for a ttl, and then stands in line anew. */
    private Optional<LeaseState> stateOnceTheLockGoes(Lease lease, Leases contender) throws Exception {
        try (var locker = database.connect();
                var statement = locker.createStatement()) {
            locker.setAutoCommit(false);
            statement.execute("select * from leases where name = '" + lease.name() + "' for update");
            Await.until("expired", LIMIT, () -> hasExpired(lease));
            try (var contenders = new Contenders(lease.name(), contender)) {
                TimeUnit.MILLISECONDS.sleep(200);
                String since = inLineSince();
                locker.rollback();
                boolean isInLine = isLessThanATtlAgo(since);
                Await.until("held again, or lost", LIMIT, () -> lease.isHeld() || !contenders.wins.isEmpty());
                LeaseState state = contenders.wins.isEmpty() ? lease.state() : LeaseState.LOST;
                contenders.wins.forEach(Lease::release);
                return isInLine ? Optional.of(state) : Optional.empty();
            }
        }
    }

    private String inLineSince() throws Exception {
        return Objects.requireNonNullElse(database.queryForString("""
                        select min(query_start)
                          from pg_stat_activity
                         where datname = current_database()
                           and wait_event_type = 'Lock'
                           and query like '%pg_advisory_xact_lock%'
                        """), "-infinity");
    }

    private boolean isLessThanATtlAgo(String since) throws Exception {
        return database.queryForLong(
                        "select (clock_timestamp() - interval '" + TTL + "' < '" + since + "'::timestamptz)::int")
                == 1;
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
