package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.Wire;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which leases are told to be in danger. */
class InDangerTest {

    private static final Duration TTL = Duration.ofSeconds(8);

    private final TestDatabase database = TestPostgres.freshDatabase();

    @Test
    void aLeaseIsInDangerWhileItIsStillHeldAndNoMoreOnceItIsRenewed() throws Exception {
        try (var wire = Wire.to(database);
                var leases = Leases.on(TestDatabase.dataSource(wire.jdbcUrl(database)))
                        .ttl(TTL)
                        .build()) {
            assertThat(leases.inDanger()).isEmpty();
            var lease = leases.tryAcquire("sweep").lease().orElseThrow();
            assertThat(leases.inDanger()).isEmpty();
            wire.become(Wire.Mode.CUT);
            Await.until("in danger", TTL, () -> leases.inDanger().contains(lease));
            assertThat(lease.isHeld()).isTrue();
            wire.become(Wire.Mode.WHOLE);
            Await.until("renewed", TTL, () -> leases.inDanger().isEmpty());
            assertThat(lease.isHeld()).isTrue();
            lease.release();
        }
    }

    @Test
    void aLeasePastItsLimitIsNotInDangerAndIsNotRenewedAnyMoreButItsLossIsTold() throws Exception {
        var renewed = new AtomicInteger();
        var metrics = new LeaseMetrics() {
            @Override
            public void renewed(int count, Duration took) {
                renewed.incrementAndGet();
            }
        };
        try (var leases = Leases.on(database.dataSource())
                .ttl(Duration.ofSeconds(1))
                .metrics(metrics)
                .build()) {
            var lease = leases.tryAcquire(LeaseRequest.named("sweep").limit(Duration.ofMillis(1200)))
                    .lease()
                    .orElseThrow();
            Await.until("past its limit", TTL, lease::isPastLimit);
            assertThat(lease.state()).isEqualTo(LeaseState.UNCONFIRMED);
            assertThat(leases.inDanger()).isEmpty();
            assertThat(leases.held()).containsExactly(lease);
            Await.until(
                    "run out",
                    TTL,
                    () -> database.queryForLong("select count(*) from leases where expires_at < clock_timestamp()")
                            == 1);
            int before = renewed.get();
            long xmin = database.queryForLong("select xmin::text::bigint from leases");
            Await.until(
                    "it would have been renewed twice since",
                    TTL,
                    () -> database.queryForLong("select count(*) from leases"
                                    + " where expires_at < clock_timestamp() - interval '600 ms'")
                            == 1);
            assertThat(renewed).hasValue(before);
            assertThat(database.queryForLong("select xmin::text::bigint from leases"))
                    .isEqualTo(xmin);
            assertThat(leases.inDanger()).isEmpty();
            database.execute("delete from leases");
            Await.until("lost", TTL, () -> lease.state() == LeaseState.LOST);
        }
    }

    @Test
    void anUnconfirmedLeaseIsInDangerAndALostOneIsNotMore() throws Exception {
        try (var wire = Wire.to(database);
                var leases = Leases.on(TestDatabase.dataSource(wire.jdbcUrl(database)))
                        .ttl(Duration.ofSeconds(2))
                        .build()) {
            var lease = leases.tryAcquire("sweep").lease().orElseThrow();
            wire.become(Wire.Mode.CUT);
            Await.until("unconfirmed", TTL, () -> lease.state() == LeaseState.UNCONFIRMED);
            assertThat(leases.inDanger()).containsExactly(lease);
            database.execute("delete from leases");
            wire.become(Wire.Mode.WHOLE);
            Await.until("lost", TTL, () -> lease.state() == LeaseState.LOST);
            assertThat(leases.inDanger()).isEmpty();
        }
    }
}
