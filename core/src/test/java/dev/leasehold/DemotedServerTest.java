package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import dev.leasehold.testkit.TestStandby;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A pool whose connections lead to a standby, as after a switchover, while new ones would lead to the primary. */
class DemotedServerTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static TestServer server;
    private static TestDatabase primary;
    private static TestStandby standby;

    private final Switch target = new Switch();

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start(Map.of("autovacuum", "off"));
        primary = server.freshDatabase();
        Leases.on(primary.dataSource()).build().close();
        standby = TestStandby.of(primary, "second");
    }

    @AfterAll
    static void stop() {
        standby.close();
        server.close();
    }

    /** Where new connections lead. */
    private static final class Switch extends ForwardingDataSource {

        private volatile DataSource leadsTo = primary.dataSource();

        Switch() {
            super(primary.dataSource());
        }

        @Override
        public Connection getConnection() throws SQLException {
            return leadsTo.getConnection();
        }
    }

    /** Throws away what is closed, and knows nothing else of connections that are of no use any more. */
    private static final class SimplePool extends ForwardingDataSource {

        private final Deque<Connection> idle = new ArrayDeque<>();
        private final Set<Connection> lent = new HashSet<>();

        SimplePool(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            synchronized (idle) {
                Connection used = idle.poll();
                Connection connection = used == null ? super.getConnection() : used;
                lent.add(connection);
                return wrapped(connection);
            }
        }

        private Connection wrapped(Connection connection) {
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("close")) {
                            back(connection);
                            return null;
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        private void back(Connection connection) throws SQLException {
            synchronized (idle) {
                if (!lent.remove(connection)) {
                    connection.close();
                } else if (!connection.isClosed()) {
                    idle.add(connection);
                }
            }
        }

        /** Those that are lent when they come back. */
        void closeAll() throws SQLException {
            synchronized (idle) {
                for (Connection connection : idle) {
                    connection.close();
                }
                idle.clear();
                lent.clear();
            }
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    /** The name is renewed at first, then fails on the standby, then is renewed again. */
    private void assertRenewedAgain(String name, DataSource pool, Step closeAll) throws Exception {
        var failures = new AtomicInteger();
        var listener = new LeaseListener() {
            @Override
            public void renewalFailed(Lease lease, Duration timeLeft) {
                failures.incrementAndGet();
            }
        };
        try (var leases = Leases.on(pool)
                .renewEvery(Duration.ofMillis(500))
                .listener(listener)
                .build()) {
            var lease = leases.tryAcquire(name).lease().orElseThrow();
            target.leadsTo = standby.dataSource(primary);
            closeAll.run();
            Await.until("a renewal on the standby failed", LIMIT, () -> failures.get() > 0);
            target.leadsTo = primary.dataSource();
            String before = expiry(name);
            Await.until("renewed", LIMIT, () -> !expiry(name).equals(before));
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    private static String expiry(String name) throws SQLException {
        return String.valueOf(primary.queryForString("select expires_at from leases where name = '" + name + "'"));
    }

    @Test
    void hikariThrowsThemAwayOnceTheyHaveFailed() throws Exception {
        var config = new HikariConfig();
        config.setDataSource(target);
        config.setMaximumPoolSize(2);
        try (var pool = new HikariDataSource(config)) {
            assertRenewedAgain("hikari", pool, () -> pool.getHikariPoolMXBean().softEvictConnections());
        }
    }

    @Test
    void anyPoolThrowsAwayWhatIsClosed() throws Exception {
        var pool = new SimplePool(target);
        assertRenewedAgain("any", pool, pool::closeAll);
        pool.closeAll();
    }
}
