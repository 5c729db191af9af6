package dev.leasehold.watch.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.watch.running.RunningInstance;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real thing: three JVMs of the service on one database, two of them on node-a and one on node-b, with short leases and
 * periods. A target that answers slowly keeps each uptime round busy for a while, so that its holder can be caught in the
 * act.
 */
class ThreeInstancesTest {

    private static final Duration TTL = Duration.ofSeconds(4);
    private static final Duration PERIOD = Duration.ofSeconds(4);
    private static final Duration SLOW = Duration.ofMillis(1500);
    private static final Duration START = Duration.ofSeconds(90);
    private static final List<String> ALL_LEASES = List.of("uptime@node-a", "uptime@node-b", "alerts", "mail", "sweep");

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final List<Instance> instances = new ArrayList<>();
    private Account account;
    private HttpServer slowTarget;
    private Observer observer;

    @TempDir
    Path logs;

    @BeforeEach
    void startThree() throws Exception {
        slowTarget = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        slowTarget.setExecutor(Executors.newCachedThreadPool());
        slowTarget.createContext("/", exchange -> {
            try {
                TimeUnit.MILLISECONDS.sleep(SLOW.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        slowTarget.start();
        try (var migrated = RunningInstance.on(database)) {
            String monitor = "{\"name\":\"slow\",\"url\":\"http://127.0.0.1:"
                    + slowTarget.getAddress().getPort() + "/\"}";
            assertThat(migrated.postJson("/api/monitors", monitor).statusCode()).isEqualTo(201);
        }
        account = Account.open(database);
        observer = new Observer(database);
        for (String node : List.of("node-a", "node-a", "node-b")) {
            instances.add(Instance.start(
                    node,
                    database.jdbcUrl(),
                    logs,
                    List.of(
                            "--leasehold.ttl=" + TTL,
                            "--watch.uptime.period=" + PERIOD,
                            "--watch.alerts.period=" + PERIOD,
                            "--watch.mail.period=" + PERIOD,
                            "--watch.sweep.period=" + PERIOD)));
        }
        for (Instance instance : instances) {
            until(instance + " is ready", START, () -> instance.status("/health/ready") == 200);
            observer.expectReady(instance);
        }
        for (String lease : ALL_LEASES) {
            until("a first slot of " + lease, START, () -> account.countedSince(lease, Instant.EPOCH) >= 1);
        }
    }

    @AfterEach
    void end() throws Exception {
        instances.forEach(Instance::close);
        observer.end();
        slowTarget.stop(0);
    }

    @Test
    void aKilledHolderIsReplacedWithinOneLeaseAndNoSlotIsCountedTwice() throws Exception {
        Instance holder = holderInTheAct("uptime@node-a");
        observer.expectNoMore(holder);
        long fence = fence("uptime@node-a");
        holder.kill();
        Instant expiry = expiry("uptime@node-a");
        assertThat(Duration.between(databaseNow(), expiry)).isLessThanOrEqualTo(TTL);
        until("another goes on", TTL.plusSeconds(5), () -> fence("uptime@node-a") > fence);
        assertThat(Duration.between(expiry, takenAt("uptime@node-a")))
                .as("from the end of the dead holder's lease to the next acquisition")
                .isBetween(Duration.ZERO, Duration.ofSeconds(2));
        assertThat(holderOf("uptime@node-a").node()).isEqualTo("node-a");

        Instant replaced = databaseNow();
        for (String lease : ALL_LEASES) {
            until(
                    "two more slots of " + lease,
                    TTL.plus(PERIOD.multipliedBy(4)),
                    () -> account.countedSince(lease, replaced) >= 2);
        }
        whatHeldAllTheTime();
    }

    @Test
    void aTerminatedInstanceEndsItsRoundsReleasesThemAndTheOthersRunTheVeryNextSlots() throws Exception {
        Instance holder = holderInTheAct("uptime@node-a");
        observer.expectNoMore(holder);
        long fence = fence("uptime@node-a");
        Instant slot = currentSlot();
        holder.terminate();
        holder.awaitExit(Duration.ofSeconds(20));
        assertThat(database.queryForLong(
                        "select count(*) from counted where lease = 'uptime@node-a' and fence = " + fence))
                .as("the round that ran was ended and counted")
                .isEqualTo(1);
        assertThat(database.queryForLong("select count(*) from leases where expires_at > 'epoch' and holder like '%:"
                        + holder.pid() + ":%'"))
                .as("leases that it left behind")
                .isZero();
        for (String lease : ALL_LEASES) {
            for (int next = 1; next <= 3; next++) {
                Instant due = slot.plus(PERIOD.multipliedBy(next));
                until(lease + " of slot " + due, PERIOD.multipliedBy(6), () -> account.has(lease, due));
            }
        }
        whatHeldAllTheTime();
    }

    private void whatHeldAllTheTime() throws Exception {
        assertThat(account.countedTwice()).isEmpty();
        assertThat(observer.unready()).isEmpty();
        assertThat(observer.looks()).isGreaterThan(20);
        for (Instance instance : instances) {
            assertThat(observer.mostConnections(instance))
                    .as(instance.toString())
                    .isBetween(1L, 4L);
        }
        assertThat(database.queryForLong("select count(*) from check_result")).isGreaterThan(3);
        assertThat(instances.stream().filter(Instance::isAlive))
                .hasSize(2)
                .allSatisfy(instance -> assertThat(instance.status("/up")).isEqualTo(200));
    }

    /** Waits until an instance has just acquired that lease, so that its run has a while to go. */
    private Instance holderInTheAct(String lease) throws Exception {
        until(
                "somebody in the act of " + lease,
                PERIOD.multipliedBy(5),
                () -> database.queryForLong("select count(*) from leases where name = '" + lease
                                + "' and expires_at > clock_timestamp()"
                                + " and taken_at > clock_timestamp() - interval '300 ms'")
                        == 1);
        return holderOf(lease);
    }

    private Instance holderOf(String lease) throws SQLException {
        long pid = database.queryForLong(
                "select split_part(holder, ':', 2)::bigint from leases where name = '" + lease + "'");
        return instances.stream()
                .filter(instance -> instance.pid() == pid)
                .findFirst()
                .orElseThrow(() -> new AssertionError(lease + " is held by none of " + instances));
    }

    private Instant currentSlot() throws SQLException {
        return Instant.ofEpochMilli(Math.floorDiv(databaseNow().toEpochMilli(), PERIOD.toMillis()) * PERIOD.toMillis());
    }

    private long fence(String lease) throws SQLException {
        return database.queryForLong("select fence from leases where name = '" + lease + "'");
    }

    private Instant takenAt(String lease) throws SQLException {
        return instant("select extract(epoch from taken_at) * 1000 from leases where name = '" + lease + "'");
    }

    private Instant expiry(String lease) throws SQLException {
        return instant("select extract(epoch from expires_at) * 1000 from leases where name = '" + lease + "'");
    }

    private Instant databaseNow() throws SQLException {
        return instant("select extract(epoch from clock_timestamp()) * 1000");
    }

    private Instant instant(String sql) throws SQLException {
        return Instant.ofEpochMilli(database.queryForLong(sql));
    }

    private static void until(String what, Duration limit, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + limit + ": " + what);
            }
            TimeUnit.MILLISECONDS.sleep(25);
        }
    }
}
