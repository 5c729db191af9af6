package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Listeners that misbehave, and what they are told. */
class ListenersTest {

    private static final Duration TTL = Duration.ofSeconds(4);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static final Duration RENEW_EVERY = Duration.ofMillis(500);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @Test
    void aListenerThatHangsKeepsNoLeaseFromItsRenewalAndIsToldAllInOrderAfterwards() throws Exception {
        var hang = new CountDownLatch(1);
        var listener = new LeaseListener() {
            @Override
            public void gained(Lease lease) {
                seen.add("gained");
                try {
                    hang.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                throw new AssertionError("and throws an Error after that");
            }

            @Override
            public void lost(Lease lease, LossReason reason) {
                seen.add("lost " + reason);
            }
        };
        try (var leases = Leases.on(database.dataSource())
                .ttl(TTL)
                .renewEvery(Duration.ofMillis(500))
                .listener(listener)
                .build()) {
            var lease = leases.tryAcquire("sweep", LIMIT).lease().orElseThrow();
            long fence = lease.fence();
            Await.until(
                    "renewed for more than a ttl",
                    LIMIT,
                    () -> database.queryForLong("select count(*) from leases where fence = " + fence
                                    + " and expires_at > taken_at + interval '8 s'")
                            == 1);
            assertThat(lease.isHeld()).isTrue();
            database.execute("update leases set expires_at = 'epoch'");
            Await.until("lost", LIMIT, () -> lease.state() == LeaseState.LOST);
            assertThat(seen).containsExactly("gained");
            hang.countDown();
            Await.until("told", LIMIT, () -> seen.size() == 2);
            assertThat(seen).containsExactly("gained", "lost RELEASED_BY_OTHERS");
        }
    }

    @Test
    void aRenewalThatCameAPeriodLateIsToldAsLate() throws Exception {
        var listener = new LeaseListener() {
            @Override
            public void renewedLate(Lease lease, Duration late) {
                seen.add("late");
                assertThat(late).isBetween(RENEW_EVERY, LIMIT);
                seen.add("by more than a period");
            }
        };
        try (var leases = Leases.on(database.dataSource())
                        .renewEvery(RENEW_EVERY)
                        .listener(listener)
                        .build();
                var locking = database.connect();
                var statement = locking.createStatement()) {
            assertThat(leases.tryAcquire("sweep").lease()).isPresent();
            locking.setAutoCommit(false);
            statement.execute("select from leases for update");
            Await.until(
                    "not renewed for four periods",
                    LIMIT,
                    () -> database.queryForLong("select count(*) from leases"
                                    + " where expires_at < clock_timestamp() + interval '118 s'")
                            == 1);
            locking.commit();
            Await.until("told", LIMIT, () -> seen.contains("by more than a period"));
        }
    }
}
