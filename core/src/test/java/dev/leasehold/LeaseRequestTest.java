package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.internal.TableName;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Leases that last for another time than those beside them. */
class LeaseRequestTest {

    private static final Duration TTL = Duration.ofSeconds(12);

    private final TestDatabase database = TestPostgres.freshDatabase();

    private static LeaseRequest request(String name, Duration ttl) {
        return LeaseRequest.named(name).ttl(ttl);
    }

    private long seconds(String name) throws SQLException {
        return database.queryForLong(
                "select round(extract(epoch from expires_at - now()) / 10) * 10 from leases where name = '" + name
                        + "'");
    }

    @Test
    void aNewNameAndAKnownOneLastAsLongAsTheyWereAskedFor() throws Exception {
        try (var leases = Leases.on(database.dataSource()).ttl(TTL).build()) {
            for (int seconds : new int[] {60, 120}) {
                try (var lease = leases.tryAcquire(request("sweep", Duration.ofSeconds(seconds)))
                        .lease()
                        .orElseThrow()) {
                    assertThat(seconds("sweep")).isEqualTo(seconds);
                    assertThat(lease.timeLeft())
                            .isBetween(
                                    Duration.ofSeconds(seconds * 11 / 12 - 10), Duration.ofSeconds(seconds * 11 / 12));
                }
            }
        }
    }

    @Test
    void thoseThatAreAcquiredAndRenewedTogetherKeepEachItsOwnTtl() throws Exception {
        var gate = new Gate(database);
        var threads = Executors.newCachedThreadPool();
        try (var leases = Leases.on(gate).ttl(TTL).build()) {
            for (int i = 0; i < 6; i++) {
                leases.tryAcquire("lease " + i).lease().orElseThrow().release();
            }
            gate.shut();
            var asked = new ArrayList<Future<Acquisition>>();
            for (int i = 0; i < 6; i++) {
                var request = request("lease " + i, Duration.ofSeconds(100 + 100 * i));
                asked.add(threads.submit(() -> leases.tryAcquire(request)));
            }
            gate.open();
            var held = new ArrayList<Lease>();
            for (var one : asked) {
                held.add(one.get().lease().orElseThrow());
            }
            var plain = leases.tryAcquire("plain").lease().orElseThrow();
            for (int i = 0; i < 6; i++) {
                assertThat(seconds("lease " + i)).isEqualTo(100 + 100 * i);
            }
            // A renewal long before its time: what is held shows that each gets its own ttl, not that of the others.
            var table = new LeaseTable(new Statements(gate), TableName.of(LeasesBuilder.DEFAULT_TABLE));
            database.execute("update leases set expires_at = now() + interval '30 s' where name <> 'plain'");
            var ttls = new LinkedHashMap<LeaseKey, Duration>();
            held.forEach(lease -> ttls.put(lease.key(), lease.terms().ttl()));
            try (var lane = new Lane("test", 1)) {
                assertThat(table.renew(lane, ttls, Map.of(), Duration.ofSeconds(5)))
                        .hasSize(6);
            }
            for (int i = 0; i < 6; i++) {
                assertThat(seconds("lease " + i)).isEqualTo(100 + 100 * i);
            }
            Await.until(
                    "the plain one was renewed",
                    Duration.ofSeconds(20),
                    () -> database.queryForLong(
                                    "select count(*) from leases where name = 'plain' and expires_at > taken_at + interval '14 s'")
                            == 1);
            assertThat(plain.isHeld()).isTrue();
            held.forEach(Lease::release);
            plain.release();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aShortOneAmongLongOnesIsRenewedInItsOwnTime() throws Exception {
        try (var leases = Leases.on(database.dataSource()).build()) {
            var lease = leases.tryAcquire(request("short", Duration.ofSeconds(12)))
                    .lease()
                    .orElseThrow();
            Await.until(
                    "it was renewed before it ran out",
                    Duration.ofSeconds(20),
                    () -> database.queryForLong(
                                    "select count(*) from leases where expires_at > taken_at + interval '14 s'")
                            == 1);
            assertThat(lease.isHeld()).isTrue();
            lease.release();
        }
    }

    @Test
    void aTtlThatTheLeasesCannotKeepIsRefused() {
        try (var leases = Leases.on(database.dataSource()).build()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> leases.tryAcquire(request("sweep", Duration.ofSeconds(10))))
                    .withMessageContaining("ttl is PT10S, but must be PT10.91S to 1 day");
            assertThatIllegalArgumentException().isThrownBy(() -> leases.tryAcquire(request("sweep", Duration.ZERO)));
            assertThat(leases.rows()).isEmpty();
        }
    }

    /** Hands out no connection while it is shut. */
    private static final class Gate extends ForwardingDataSource {

        private volatile CountDownLatch gate = new CountDownLatch(0);

        Gate(TestDatabase database) {
            super(database.dataSource());
        }

        void shut() {
            gate = new CountDownLatch(1);
        }

        void open() {
            gate.countDown();
        }

        @Override
        public Connection getConnection() throws SQLException {
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLException("interrupted", e);
            }
            return super.getConnection();
        }
    }
}
