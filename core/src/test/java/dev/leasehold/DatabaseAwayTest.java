package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A server that ends idle connections, is stopped and started again, and nodes that are set differently. */
class DatabaseAwayTest {

    private static final Duration TTL = Duration.ofSeconds(3);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration AWAY = Duration.ofSeconds(1);
    private static final TestServer SERVER = TestServer.start(Map.of());

    private final TestDatabase database = SERVER.freshDatabase();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private HikariDataSource pool(Duration connectionTimeout) {
        var config = new HikariConfig();
        // a URL would make this timeout that of all connections of the JVM
        config.setDataSource(TestDatabase.dataSource(database.jdbcUrl()));
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        config.setMaxLifetime(30_000);
        config.setConnectionTimeout(connectionTimeout.toMillis());
        return new HikariDataSource(config);
    }

    @Test
    void aServerThatEndsIdleConnectionsSoonerThanARenewalComesChangesNothing() throws Exception {
        database.execute("alter database " + database.name() + " set idle_session_timeout = '700ms'");
        try (var pool = pool(LIMIT);
                var leases = Leases.on(pool)
                        .ttl(Duration.ofMinutes(1))
                        .renewEvery(Duration.ofSeconds(1))
                        .build();
                var contender = Leases.on(database.dataSource()).build()) {
            var lease = leases.tryAcquire("kept").lease().orElseThrow();
            Await.until("renewals met ended connections", LIMIT, () -> {
                assertThat(lease.isHeld()).isTrue();
                assertThat(contender.tryAcquire("kept").lease()).isEmpty();
                return database.serverLog().stream()
                                .filter(line -> line.contains("idle-session timeout"))
                                .count()
                        > 3;
            });
            assertThat(lease.release()).isNotEqualTo(ReleaseOutcome.LOST);
        }
    }

    /** Tries for the lease whenever it does not hold it. */
    private static final class Node implements AutoCloseable {

        static final Duration POLL = Duration.ofMillis(200);

        private final HikariDataSource pool;
        private final Leases leases;
        private final Thread thread;
        private final AtomicReference<@Nullable Lease> lease = new AtomicReference<>();
        private final AtomicBoolean over = new AtomicBoolean();

        Node(HikariDataSource pool) {
            this.pool = pool;
            this.leases = Leases.on(pool).ttl(TTL).build();
            this.thread = new Thread(this::poll, "node");
            thread.start();
        }

        private void poll() {
            while (!over.get()) {
                try {
                    if (!holds()) {
                        leases.tryAcquire("led").lease().ifPresent(lease::set);
                    }
                    TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
                } catch (LeaseException away) {
                    // the next one follows
                } catch (InterruptedException e) {
                    return;
                }
            }
        }

        boolean holds() {
            Lease mine = lease.get();
            return mine != null && mine.isHeld();
        }

        @Override
        public void close() {
            over.set(true);
            thread.interrupt();
            leases.close();
            pool.close();
        }
    }

    private static long holders(List<Node> nodes) {
        // The second look at the first: a lease given up between the looks is none of two at once.
        long holders = nodes.stream().filter(Node::holds).count();
        return holders > 1 ? nodes.stream().filter(Node::holds).count() : holders;
    }

    @Test
    void afterAStopAndAStartOnTheSameDataOneNodeHoldsAgainByItself() throws Exception {
        try (var one = new Node(pool(AWAY));
                var two = new Node(pool(AWAY))) {
            var nodes = List.of(one, two);
            Await.until("one holds", LIMIT, () -> holders(nodes) == 1);
            SERVER.stop();
            TimeUnit.NANOSECONDS.sleep(TTL.toNanos()); // away for a ttl: that is what is tested
            assertThat(holders(nodes)).as("nobody trusts it").isZero();
            SERVER.startAgain();
            Await.until("one holds again", LIMIT, () -> holders(nodes) == 1);
            long end = System.nanoTime() + TTL.toNanos();
            while (System.nanoTime() < end) {
                assertThat(holders(nodes)).isLessThanOrEqualTo(1);
                TimeUnit.MILLISECONDS.sleep(5);
            }
            Await.until("and goes on", LIMIT, () -> holders(nodes) == 1);
            assertThat(nodes).allMatch(node -> node.thread.isAlive());
        }
    }

    @Test
    void theRowsExpiryRulesBesideANodeOfAShorterTtl() throws Exception {
        var paused = Leases.on(database.dataSource()).ttl(TTL).build();
        var lease = paused.tryAcquire("sweep").lease().orElseThrow();
        paused.close();
        database.execute("create table expiry as select expires_at from leases");
        try (var hasty = Leases.on(database.dataSource()).ttl(TTL.dividedBy(3)).build()) {
            assertThat(hasty.tryAcquire("sweep", LIMIT).lease()).isPresent();
            assertThat(lease.isHeld()).isFalse();
            assertThat(database.queryForLong("select count(*) from leases, expiry where taken_at > expiry.expires_at"))
                    .isEqualTo(1);
        }
    }
}
