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
    private static final TestServer SERVER = TestServer.start(Map.of());

    private final TestDatabase database = SERVER.freshDatabase();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private HikariDataSource pool() {
        var config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        config.setMaxLifetime(30_000);
        config.setConnectionTimeout(1000);
        return new HikariDataSource(config);
    }

    @Test
    void aServerThatEndsIdleConnectionsSoonerThanARenewalComesChangesNothing() throws Exception {
        database.execute("alter database " + database.name() + " set idle_session_timeout = '700ms'");
        try (var pool = pool();
                var leases =
                        Leases.on(pool).ttl(TTL).renewEvery(TTL.dividedBy(3)).build();
                var contender = Leases.on(database.dataSource()).ttl(TTL).build()) {
            var lease = leases.tryAcquire("kept").lease().orElseThrow();
            long end = System.nanoTime() + TTL.multipliedBy(2).toNanos();
            while (System.nanoTime() < end) {
                assertThat(lease.isHeld()).isTrue();
                assertThat(contender.tryAcquire("kept").lease()).isEmpty();
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertThat(database.serverLog())
                    .filteredOn(line -> line.contains("idle-session timeout"))
                    .as("renewals met ended connections")
                    .hasSizeGreaterThan(3);
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
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
        try (var one = new Node(pool());
                var two = new Node(pool())) {
            var nodes = List.of(one, two);
            Await.until("one holds", TTL.multipliedBy(5), () -> holders(nodes) == 1);
            SERVER.stop();
            Await.until("nobody trusts it", TTL, () -> holders(nodes) == 0);
            TimeUnit.NANOSECONDS.sleep(TTL.toNanos());
            SERVER.startAgain();
            Await.until("one holds again", TTL.multipliedBy(5), () -> holders(nodes) == 1);
            long end = System.nanoTime() + TTL.toNanos();
            while (System.nanoTime() < end) {
                assertThat(holders(nodes)).isLessThanOrEqualTo(1);
                TimeUnit.MILLISECONDS.sleep(5);
            }
            Await.until("and goes on", TTL, () -> holders(nodes) == 1);
            assertThat(nodes).allMatch(node -> node.thread.isAlive());
        }
    }

    @Test
    void theRowsExpiryRulesBesideANodeOfAShorterTtl() throws Exception {
        var paused = Leases.on(database.dataSource()).ttl(TTL.multipliedBy(2)).build();
        var lease = paused.tryAcquire("sweep").lease().orElseThrow();
        paused.close();
        database.execute("create table expiry as select expires_at from leases");
        try (var hasty =
                Leases.on(database.dataSource()).ttl(Duration.ofMillis(500)).build()) {
            Await.until(
                    "taken over",
                    TTL.multipliedBy(4),
                    () -> hasty.tryAcquire("sweep").lease().isPresent());
            assertThat(lease.isHeld()).isFalse();
            assertThat(database.queryForLong("select count(*) from leases, expiry where taken_at > expiry.expires_at"))
                    .isEqualTo(1);
        }
    }
}
