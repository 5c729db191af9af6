package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.TableName;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** An earlier lease of a name that its process still has, beside the one that took its place in the same process. */
class EarlierLeaseTest {

    private static final Duration BRIEF = Duration.ofSeconds(3);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private volatile boolean isRenewing;

    /** Hands the renewal, and nobody else, no connection before its time. */
    private final ForwardingDataSource source = new ForwardingDataSource(database.dataSource()) {
        @Override
        public Connection getConnection() throws SQLException {
            if (!isRenewing && Thread.currentThread().getName().startsWith("leasehold-renewal-sender")) {
                throw new SQLException("not yet");
            }
            return super.getConnection();
        }
    };

    /** Writes down what it is told, with the fences. */
    private static final class Told implements LeaseListener {

        private final List<String> told = new CopyOnWriteArrayList<>();

        @Override
        public void gained(Lease lease) {
            told.add(lease.fence() + " gained");
        }

        @Override
        public void unconfirmed(Lease lease) {
            told.add(lease.fence() + " unconfirmed");
        }

        @Override
        public void reconfirmed(Lease lease) {
            told.add(lease.fence() + " reconfirmed");
        }

        @Override
        public void lost(Lease lease, LossReason reason) {
            told.add(lease.fence() + " lost " + reason);
        }

        List<String> of(Lease lease) {
            return told.stream()
                    .filter(event -> event.startsWith(lease.fence() + " "))
                    .toList();
        }
    }

    @Test
    void anUnconfirmedLeaseIsNotRevivedByTheRenewalOfItsSuccessorInTheSameProcess() throws Exception {
        var told = new Told();
        try (var leases = Leases.on(source).ttl(BRIEF).listener(told).build()) {
            var earlier = leases.tryAcquire("sweep", LIMIT).lease().orElseThrow();
            var later = leases.tryAcquire("sweep", LIMIT).lease().orElseThrow();
            Await.until(
                    "both unconfirmed, so that one statement renews both",
                    LIMIT,
                    () -> earlier.state() == LeaseState.UNCONFIRMED && later.state() == LeaseState.UNCONFIRMED);
            assertThat(leases.held()).containsExactlyInAnyOrder(earlier, later);
            isRenewing = true;
            Await.until("the later held again", LIMIT, later::isHeld);
            Await.until("the earlier told", LIMIT, () -> told.of(earlier).contains(fence(earlier, "lost TAKEN_OVER")));
            assertThat(earlier.state()).isEqualTo(LeaseState.LOST);
            assertThat(told.of(earlier))
                    .containsExactly(
                            fence(earlier, "gained"), fence(earlier, "unconfirmed"), fence(earlier, "lost TAKEN_OVER"));
            assertThat(earlier.release()).isEqualTo(ReleaseOutcome.LOST);
            assertThat(leases.held()).containsExactly(later);
            assertThat(leases.rows())
                    .singleElement()
                    .satisfies(row -> assertThat(row.holder()).isEqualTo(later.holder()));
        }
    }

    private static String fence(Lease lease, String event) {
        return lease.fence() + " " + event;
    }

    @Test
    void aRenewalMatchesTheHolderAndTheFenceAndRenewsTheRightOneBesideOthersOfItsName() throws Exception {
        Leases.on(database.dataSource()).build().close();
        database.execute("insert into leases (name, holder, expires_at, fence)"
                + " values ('sweep', 'me', now() + interval '1 hour', 7)");
        var right = new LeaseKey("sweep", "me", 7);
        var older = new LeaseKey("sweep", "me", 6);
        var anothers = new LeaseKey("sweep", "another", 7);
        assertThat(renewed(older)).isEmpty();
        assertThat(renewed(anothers)).isEmpty();
        assertThat(renewed(older, anothers, right)).containsExactly(right);
        assertThat(renewed(right, anothers, older)).containsExactly(right);
    }

    private Set<LeaseKey> renewed(LeaseKey... keys) throws SQLException {
        var table = new LeaseTable(new Statements(database.dataSource()), TableName.of(LeasesBuilder.DEFAULT_TABLE));
        var ttls = new LinkedHashMap<LeaseKey, Duration>();
        for (LeaseKey key : keys) {
            ttls.put(key, Duration.ofHours(2));
        }
        try (var lane = new Lane("test", 1)) {
            return table.renew(lane, ttls, Map.of(), LIMIT);
        }
    }
}
