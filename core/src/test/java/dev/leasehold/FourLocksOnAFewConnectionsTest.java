package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What leases are for: four exclusive jobs on a small pool, and the same with the textbook session-level advisory lock. */
class FourLocksOnAFewConnectionsTest {

    private static final List<String> JOBS = List.of("sweep", "alerts", "mail", "uptime@node-a");

    private static final Duration LIMIT = Duration.ofSeconds(20);
    /** In which no statement that waits for the table is given up. */
    private static final Duration WITHIN_A_BOUND = Duration.ofSeconds(4);

    private static final Duration ENOUGH = Duration.ofSeconds(2);

    private final TestDatabase database = TestPostgres.freshDatabase();

    private HikariDataSource pool(int size, Duration connectionTimeout) throws SQLException {
        database.execute("create table probe (at timestamptz not null)");
        var config = new HikariConfig();
        config.setDataSource(TestDatabase.dataSource(database.jdbcUrl()));
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(connectionTimeout.toMillis());
        return new HikariDataSource(config);
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static void write(DataSource pool) throws SQLException {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("insert into probe values (now())");
        }
    }

    @Test
    void aPoolOfOneCarriesFourLeasesAndStillWrites() throws SQLException {
        try (var pool = pool(1, LIMIT);
                var leases = Leases.on(pool).build()) {
            long start = System.nanoTime();
            var held = new ArrayList<Lease>();
            for (String job : JOBS) {
                held.add(leases.tryAcquire(job).lease().orElseThrow());
            }
            write(pool);
            assertThat(since(start)).isLessThan(LIMIT);
            assertThat(database.queryForLong("select count(*) from probe")).isEqualTo(1);
            assertThat(held).allMatch(Lease::isHeld);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            held.forEach(Lease::release);
        }
    }

    @Test
    void aLockedLeaseTableLeavesTheRestOfTheApplicationAConnectionOfItsPoolOfFour() throws Exception {
        var callers = Executors.newFixedThreadPool(8);
        try (var pool = pool(4, LIMIT);
                var leases = Leases.on(pool).renewEvery(Duration.ofMillis(500)).build();
                var other = database.connect()) {
            var held = leases.tryAcquire("sweep").lease().orElseThrow();
            other.setAutoCommit(false);
            other.createStatement().execute("lock table leases in exclusive mode");
            long start = System.nanoTime();
            for (int i = 0; i < 8; i++) {
                String name = "caller-" + i;
                callers.execute(() -> leases.tryAcquire(name));
            }
            int waiting = 0;
            for (int i = 0; i < 40; i++) {
                write(pool);
                int active = pool.getHikariPoolMXBean().getActiveConnections();
                if (since(start).compareTo(WITHIN_A_BOUND) < 0) {
                    waiting = Math.max(waiting, active);
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
            assertThat(waiting).as("statements did wait for the table").isBetween(2, 3);
            other.rollback();
            Duration left = held.timeLeft();
            Await.until("it is renewed", LIMIT, () -> held.timeLeft().compareTo(left) > 0);
            assertThat(leases.tryAcquire("after", LIMIT).lease()).isPresent();
        } finally {
            callers.shutdownNow();
        }
    }

    @Test
    void aPoolOfOneWithSessionLevelAdvisoryLocksNeverGetsBeyondTheFirst() throws SQLException {
        try (var pool = pool(1, ENOUGH)) {
            var first = lockAndKeepTheConnection(pool, JOBS.get(0));
            assertThatExceptionOfType(SQLTransientConnectionException.class)
                    .isThrownBy(() -> lockAndKeepTheConnection(pool, JOBS.get(1)));
            assertThatExceptionOfType(SQLTransientConnectionException.class).isThrownBy(() -> write(pool));
            assertThat(database.queryForLong("select count(*) from probe")).isZero();
            first.close();
        }
    }

    @Test
    void fourSessionLevelAdvisoryLocksAreFourIdleBackendsAndAnEmptyPoolOfFour() throws SQLException {
        try (var pool = pool(4, ENOUGH)) {
            var pinned = new ArrayList<Connection>();
            for (String job : JOBS) {
                pinned.add(lockAndKeepTheConnection(pool, job));
            }
            assertThatExceptionOfType(SQLTransientConnectionException.class).isThrownBy(() -> write(pool));
            assertThat(database.queryForLong("""
                            select count(distinct a.pid)
                              from pg_locks l
                              join pg_stat_activity a on a.pid = l.pid
                             where l.locktype = 'advisory'
                               and l.granted
                               and a.state = 'idle'
                               and a.datname = current_database()
                            """)).isEqualTo(4);
            for (Connection connection : pinned) {
                connection.close();
            }
        }
    }

    /** The lock lives as long as the session, so the connection cannot go back to the pool before the work ends. */
    private static Connection lockAndKeepTheConnection(DataSource pool, String job) throws SQLException {
        Connection connection = pool.getConnection();
        try (var statement = connection.prepareStatement("select pg_try_advisory_lock(hashtext(?))")) {
            statement.setString(1, job);
            try (var rows = statement.executeQuery()) {
                rows.next();
                assertThat(rows.getBoolean(1)).isTrue();
            }
        }
        return connection;
    }
}
