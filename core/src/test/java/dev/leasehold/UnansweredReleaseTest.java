package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.Wire;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Releases whose answers are lost, or that cannot be carried out. */
class UnansweredReleaseTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Grid HOURLY = Grid.every(Duration.ofHours(1));

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Wire wire = Wire.to(database);
    private final Semaphore connections = new Semaphore(Integer.MAX_VALUE / 2);
    private final ForwardingDataSource source =
            new ForwardingDataSource(TestDatabase.dataSource(wire.jdbcUrl(database))) {
                @Override
                public Connection getConnection() throws SQLException {
                    if (Thread.currentThread().getName().startsWith("leasehold-sender")) { // and not the renewal's
                        connections.acquireUninterruptibly();
                    }
                    return super.getConnection();
                }
            };
    private final Events events = new Events();

    @AfterEach
    void close() {
        wire.close();
    }

    private Leases leases(Duration ttl) {
        return Leases.on(source).ttl(ttl).listener(events).build();
    }

    private Lease acquired(Leases leases, boolean isCounted) {
        return (isCounted ? leases.tryAcquireSlot("sweep", HOURLY) : leases.tryAcquire("sweep"))
                .lease()
                .orElseThrow();
    }

    /** Releases it without an answer, and what follows has to wait for a connection. */
    private void releaseUnanswered(Lease lease, boolean isCounted) {
        connections.drainPermits();
        wire.failNext("set expires_at = 'epoch'", Wire.Fault.CUT_AFTER_APPLY);
        connections.release();
        assertThat(isCounted ? lease.releaseDone() : lease.release()).isEqualTo(ReleaseOutcome.PENDING);
        assertThat(wire.hasFailed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aReleaseThatGotThroughIsNoLossThoughAnotherHasAcquiredTheNameSince(boolean isCounted) throws Exception {
        try (var leases = leases(Duration.ofMinutes(1));
                var others = Leases.on(database.dataSource()).build()) {
            var lease = acquired(leases, isCounted);
            releaseUnanswered(lease, isCounted);
            assertThat(others.tryAcquire("sweep").lease()).isPresent();
            connections.release(1_000);
            Await.until("told", LIMIT, () -> events.seen().size() >= 2);
            assertThat(events.seen()).containsExactly("gained", "released");
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void whatAnotherHasAfterTheTrustHasEndedIsLost() throws Exception {
        try (var leases = leases(Duration.ofSeconds(4));
                var others = Leases.on(database.dataSource()).build()) {
            var lease = leases.tryAcquire("sweep", LIMIT).lease().orElseThrow();
            releaseUnanswered(lease, false);
            assertThat(others.tryAcquire("sweep").lease()).isPresent();
            Await.until("the trust has ended", LIMIT, () -> lease.timeLeft().isNegative());
            connections.release(1_000);
            Await.until("told", LIMIT, () -> events.seen().contains("lost TAKEN_OVER"));
            assertThat(events.seen()).startsWith("gained").doesNotContain("released");
        }
    }

    @Test
    void aReleaseThatIsGivenUpIsToldAsALoss() throws Exception {
        try (var leases = leases(Duration.ofSeconds(2));
                var locking = database.connect();
                var statement = locking.createStatement()) {
            var lease = leases.tryAcquire("sweep", LIMIT).lease().orElseThrow();
            locking.setAutoCommit(false);
            statement.execute("select from leases for update");
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.PENDING);
            Await.until("told", LIMIT, () -> events.seen().contains("lost RELEASE_GIVEN_UP"));
            assertThat(events.seen()).startsWith("gained").doesNotContain("released");
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
            locking.rollback();
        }
    }
}
