package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.Wire;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One lease among many of its process that cannot be renewed: the others are no worse for it. */
class ManyLeasesTest {

    private static final Duration TTL = Duration.ofSeconds(9);
    private static final Duration RENEW_EVERY = Duration.ofSeconds(1);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Duration AT_ONCE = Duration.ofMillis(100);
    private static final int TRIES = 5;

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : opened) {
            closeable.close();
        }
    }

    private <T extends AutoCloseable> T open(T closeable) {
        opened.add(0, closeable);
        return closeable;
    }

    private HikariDataSource pool(String jdbcUrl) {
        var config = new HikariConfig();
        // a URL of the pool's own would make its timeout that of all connections of the JVM
        config.setDataSource(TestDatabase.dataSource(jdbcUrl));
        config.setMaximumPoolSize(4);
        config.setConnectionTimeout(1000);
        return open(new HikariDataSource(config));
    }

    @Test
    void aThousandLeasesComeToShareOneStatementAPeriod() throws Exception {
        var renewals = new CopyOnWriteArrayList<Renewal>();
        var metrics = new LeaseMetrics() {
            @Override
            public void renewed(int count, Duration took) {
                renewals.add(new Renewal(count, System.nanoTime() - took.toNanos()));
            }
        };
        var leases = open(Leases.on(pool(database.jdbcUrl()))
                .ttl(TTL)
                .renewEvery(RENEW_EVERY)
                .metrics(metrics)
                .build());
        acquire(leases, 1000);
        Await.until("one statement of them all in each of three periods", LIMIT, () -> {
            var seen = List.copyOf(renewals);
            int last = seen.size() - 1;
            return last >= 3
                    && seen.subList(last - 3, last + 1).stream().allMatch(renewal -> renewal.count() == 1000)
                    && seen.get(last).sentNanos() - seen.get(last - 3).sentNanos()
                            > RENEW_EVERY.multipliedBy(5).dividedBy(2).toNanos();
        });
    }

    private record Renewal(int count, long sentNanos) {}

    private Leases leases() {
        return open(Leases.on(pool(database.jdbcUrl()))
                .ttl(TTL)
                .renewEvery(RENEW_EVERY)
                .build());
    }

    private static List<Lease> acquire(Leases leases, int count) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            var acquired = new ArrayList<Future<Lease>>();
            for (int i = 0; i < count; i++) {
                String name = "lease " + i;
                acquired.add(threads.submit(
                        () -> leases.tryAcquire(name, LIMIT).lease().orElseThrow()));
            }
            var all = new ArrayList<Lease>();
            for (var one : acquired) {
                all.add(one.get());
            }
            return all;
        } finally {
            threads.shutdownNow();
        }
    }

    private Connection lockRowOf(String name) throws Exception {
        var connection = open(database.connect());
        connection.setAutoCommit(false);
        connection.createStatement().execute("select * from leases where name = '" + name + "' for update");
        return connection;
    }

    private Duration left(String name) throws Exception {
        return Duration.ofMillis(
                database.queryForLong("select floor(extract(epoch from expires_at - clock_timestamp()) * 1000)::bigint"
                        + " from leases where name = '" + name + "'"));
    }

    /** How much of a lease is left to the row that has least, other than that one. */
    private Duration leastLeft(String but) throws Exception {
        return Duration.ofMillis(database.queryForLong("select (extract(epoch from min(expires_at) - clock_timestamp())"
                + " * 1000)::bigint from leases where expires_at > 'epoch' and name <> '" + but + "'"));
    }

    /** A row renewed on time has all but a ninth of its lease left; each look allows a third more for a busy machine. */
    private void assertRenewedOnTime(String but, Duration during) throws Exception {
        long end = System.nanoTime() + during.toNanos();
        while (System.nanoTime() < end) {
            assertThat(database.queryForString(
                            "select string_agg(name || ' has ' || expires_at - clock_timestamp(), ', ')"
                                    + " from leases where expires_at > 'epoch' and name <> '" + but
                                    + "' and expires_at - clock_timestamp() < interval '" + TTL.dividedBy(2) + "'"))
                    .as("leases that have less left than half")
                    .isNull();
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static Duration timed(Runnable call) {
        long start = System.nanoTime();
        call.run();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void oneLockedRowOfAThousandDelaysNeitherTheOthersNorAnyCallAndIsRenewedOnceTheLockGoes() throws Exception {
        var leases = leases();
        var all = acquire(leases, 1000);
        Lease locked = all.get(500);
        List<Lease> given = all.subList(501, 501 + TRIES);
        var contender = leases();
        assertThat(contender.tryAcquire("warm").lease()).isPresent();

        Connection locker = lockRowOf(locked.name());
        var others = new ArrayList<Connection>();
        for (Lease one : given) {
            others.add(lockRowOf(one.name()));
        }
        // The best of several: another process of a busy machine may hold up any one of them.
        assertThat(given.stream()
                        .map(one -> timed(() -> assertThat(
                                        contender.tryAcquire(one.name()).lease())
                                .isEmpty())))
                .as("refusals of locked rows")
                .anyMatch(took -> took.compareTo(AT_ONCE) < 0);
        assertThat(given.stream()
                        .map(one -> timed(() -> assertThat(one.release()).isEqualTo(ReleaseOutcome.PENDING))))
                .as("releases of locked rows")
                .anyMatch(took -> took.compareTo(AT_ONCE) < 0);
        for (Connection other : others) {
            other.rollback();
        }
        Await.until(
                "released in the background",
                LIMIT,
                () -> database.queryForLong("select count(*) from leases where expires_at = 'epoch'") == TRIES);
        assertRenewedOnTime(locked.name(), TTL);
        assertThat(all.stream().filter(lease -> !lease.isHeld()).toList())
                .hasSize(1 + TRIES)
                .contains(locked)
                .containsAll(given);

        locker.rollback();
        Await.until("held again", LIMIT, locked::isHeld);
        assertRenewedOnTime("", RENEW_EVERY);
    }

    @Test
    void oneStalledConnectionStarvesNoneOfSixtyLeases() throws Exception {
        var wire = open(Wire.to(database));
        var lost = new CopyOnWriteArrayList<String>();
        var listener = new LeaseListener() {
            @Override
            public void unconfirmed(Lease lease) {
                lost.add(lease.name());
            }
        };
        var leases = open(Leases.on(pool(wire.jdbcUrl(database)))
                .ttl(TTL)
                .renewEvery(RENEW_EVERY)
                .listener(listener)
                .build());
        var all = acquire(leases, 60);
        for (int stalls = 0; stalls < 2; stalls++) {
            wire.failNext("lease 7", Wire.Fault.SILENCE);
            Await.until("a renewal is stalled", LIMIT, wire::hasFailed);
            // A row renewed before the stall has less than that left by now.
            Await.until("renewed by the next one", LIMIT, () -> leastLeft("").compareTo(TTL.minusMillis(500)) > 0);
        }
        assertThat(lost).isEmpty();
        assertThat(all).allMatch(Lease::isHeld);
    }

    @Test
    void oneLockedRowStarvesNoneOfSixtyLeasesAndItsHolderIsToldInTime() throws Exception {
        var leases = leases();
        var all = acquire(leases, 60);
        Lease locked = all.get(30);
        var locker = lockRowOf(locked.name());
        Await.until("no longer held", LIMIT, () -> !locked.isHeld());
        boolean isEarlier = false;
        for (int i = 0; i < TRIES && !isEarlier; i++) {
            Duration left = locked.timeLeft();
            isEarlier = left.compareTo(left(locked.name())) < 0;
        }
        assertThat(isEarlier)
                .as("its own deadline comes before the row's end, for less was left of it even before")
                .isTrue();
        assertThat(leastLeft(locked.name())).isGreaterThan(TTL.dividedBy(2));
        assertThat(all).filteredOn(lease -> !lease.isHeld()).containsExactly(locked);
        locker.rollback();
        Await.until("held again", LIMIT, locked::isHeld);
    }
}
