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
import java.util.Optional;
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
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int TRIES = 10;
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
        Held held = frozenInTheAct("uptime@node-a");
        held.holder().kill();
        assertThat(Duration.between(databaseNow(), held.expiry())).isLessThanOrEqualTo(TTL);
        until(
                "another goes on",
                LIMIT,
                () -> account.acquiredAfter("uptime@node-a", held.fence()).isPresent());
        assertThat(Duration.between(
                        held.expiry(),
                        account.acquiredAfter("uptime@node-a", held.fence()).orElseThrow()))
                .as("from the end of the dead holder's lease to the next acquisition")
                .isBetween(Duration.ZERO, TTL);
        assertThat(holderOf("uptime@node-a").node()).isEqualTo("node-a");

        Instant replaced = databaseNow();
        for (String lease : ALL_LEASES) {
            until("two more slots of " + lease, LIMIT, () -> account.countedSince(lease, replaced) >= 2);
        }
        whatHeldAllTheTime();
    }

    @Test
    void aTerminatedInstanceEndsItsRoundsReleasesThemAndTheOthersRunTheVeryNextSlots() throws Exception {
        Held held = heldInTheAct("uptime@node-a");
        Instance holder = held.holder();
        observer.expectNoMore(holder);
        Instant slot = currentSlot();
        holder.terminate();
        holder.awaitExit(LIMIT);
        assertThat(database.queryForLong(
                        "select count(*) from counted where lease = 'uptime@node-a' and fence = " + held.fence()))
                .as("the round that ran was ended and counted")
                .isEqualTo(1);
        assertThat(database.queryForLong("select count(*) from leases where expires_at > 'epoch' and holder like '%:"
                        + holder.pid() + ":%'"))
                .as("leases that it left behind")
                .isZero();
        for (String lease : ALL_LEASES) {
            for (int next = 1; next <= 3; next++) {
                Instant due = slot.plus(PERIOD.multipliedBy(next));
                until(lease + " of slot " + due, LIMIT, () -> account.has(lease, due));
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
        List<Instance> alive = instances.stream().filter(Instance::isAlive).toList();
        assertThat(alive).hasSize(2);
        for (Instance instance : alive) {
            until(instance + " is up", LIMIT, () -> instance.status("/up") == 200);
        }
    }

    /** What was seen of a held lease at one moment. */
    private record Held(Instance holder, long fence, Instant expiry) {}

    /** Waits until an instance has just acquired that lease, so that its run has a while to go. */
    private Held heldInTheAct(String lease) throws Exception {
        List<Held> seen = new ArrayList<>();
        until("somebody in the act of " + lease, LIMIT, () -> {
            held(lease, "taken_at > clock_timestamp() - interval '300 ms'").ifPresent(seen::add);
            return !seen.isEmpty();
        });
        return seen.get(0);
    }

    /** As long as it is frozen, it cannot release the lease, however late this thread is. */
    private Held frozenInTheAct(String lease) throws Exception {
        for (int time = 1; time <= TRIES; time++) {
            Instance holder = heldInTheAct(lease).holder();
            observer.expectNoMore(holder);
            holder.freeze();
            until(
                    "what it has sent is done",
                    LIMIT,
                    () -> database.queryForLong("select count(*) from pg_stat_activity where state = 'active'"
                                    + " and application_name = '" + holder.node() + "/" + holder.pid() + "'")
                            == 0);
            Optional<Held> held = held(lease, "split_part(holder, ':', 2) = '" + holder.pid() + "'");
            if (held.isPresent()) {
                return held.get();
            }
            holder.thaw();
            until(holder + " is ready again", LIMIT, () -> holder.status("/health/ready") == 200);
            observer.expectReady(holder);
        }
        throw new AssertionError("nobody was caught in the act of " + lease);
    }

    private Optional<Held> held(String lease, String condition) throws SQLException {
        String seen = database.queryForString("""
                select split_part(holder, ':', 2) || ' ' || fence || ' ' || floor(extract(epoch from expires_at) * 1000)
                  from leases
                 where expires_at > clock_timestamp()
                   and name = '%s'
                   and %s
                """.formatted(lease, condition));
        if (seen == null) {
            return Optional.empty();
        }
        String[] parts = seen.split(" ", -1);
        return Optional.of(new Held(
                instance(Long.parseLong(parts[0])),
                Long.parseLong(parts[1]),
                Instant.ofEpochMilli(Long.parseLong(parts[2]))));
    }

    private Instance holderOf(String lease) throws SQLException {
        long pid = database.queryForLong(
                "select split_part(holder, ':', 2)::bigint from leases where name = '" + lease + "'");
        return instance(pid);
    }

    private Instance instance(long pid) {
        return instances.stream()
                .filter(instance -> instance.pid() == pid)
                .findFirst()
                .orElseThrow(() -> new AssertionError("process " + pid + " is none of " + instances));
    }

    private Instant currentSlot() throws SQLException {
        return Instant.ofEpochMilli(Math.floorDiv(databaseNow().toEpochMilli(), PERIOD.toMillis()) * PERIOD.toMillis());
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
