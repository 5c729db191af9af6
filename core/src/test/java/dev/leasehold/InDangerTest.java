package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.Wire;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which leases are told to be in danger. */
class InDangerTest {

    private static final Duration TTL = Duration.ofSeconds(6);
    private static final Duration RENEW_EVERY = Duration.ofMillis(250);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final TestDatabase database = TestPostgres.freshDatabase();

    @Test
    void aLeaseIsInDangerWhileItIsStillHeldAndNoMoreOnceItIsRenewed() throws Exception {
        try (var wire = Wire.to(database);
                var leases = Leases.on(TestDatabase.dataSource(wire.jdbcUrl(database)))
                        .ttl(TTL)
                        .build()) {
            assertThat(leases.inDanger()).isEmpty();
            var lease = leases.tryAcquire("sweep", LIMIT).lease().orElseThrow();
            assertThat(leases.inDanger()).isEmpty();
            boolean wasHeldInDanger = false;
            for (int i = 0; i < 3 && !wasHeldInDanger; i++) {
                wire.become(Wire.Mode.CUT);
                wasHeldInDanger = isInDangerBeforeItsTrustEnds(leases, lease);
                wire.become(Wire.Mode.WHOLE);
                Await.until("renewed", LIMIT, () -> leases.inDanger().isEmpty());
                assertThat(lease.isHeld()).isTrue();
            }
            assertThat(wasHeldInDanger).isTrue();
            lease.release();
        }
    }

    /** On a busy machine the looks may come too late. */
    private static boolean isInDangerBeforeItsTrustEnds(Leases leases, Lease lease) throws Exception {
        var seen = new AtomicBoolean();
        Await.until("in danger, or held no more", LIMIT, () -> {
            boolean isInDanger = leases.inDanger().contains(lease);
            boolean isHeld = lease.isHeld();
            seen.set(isInDanger && isHeld);
            return seen.get() || !isHeld;
        });
        return seen.get();
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
                .ttl(Duration.ofSeconds(12))
                .renewEvery(RENEW_EVERY)
                .metrics(metrics)
                .build()) {
            var lease = leases.tryAcquire(LeaseRequest.named("sweep").limit(Duration.ofMillis(1200)))
                    .lease()
                    .orElseThrow();
            Await.until("past its limit", LIMIT, lease::isPastLimit);
            assertThat(lease.state()).isEqualTo(LeaseState.UNCONFIRMED);
            assertThat(leases.inDanger()).isEmpty();
            assertThat(leases.held()).containsExactly(lease);
            Await.until(
                    "run out",
                    LIMIT,
                    () -> database.queryForLong("select count(*) from leases where expires_at < clock_timestamp()")
                            == 1);
            boolean isStill = false;
            for (int i = 0; i < 5 && !isStill; i++) {
                isStill = isNotRenewedForThreePeriods(renewed);
            }
            assertThat(isStill).isTrue();
            assertThat(leases.inDanger()).isEmpty();
            database.execute("delete from leases");
            Await.until("lost", LIMIT, () -> lease.state() == LeaseState.LOST);
        }
    }

    /** The answer to one that was sent before the limit may come after it. */
    private boolean isNotRenewedForThreePeriods(AtomicInteger renewed) throws Exception {
        String version = "select xmin::text::bigint from leases";
        int before = renewed.get();
        long xmin = database.queryForLong(version);
        TimeUnit.NANOSECONDS.sleep(RENEW_EVERY.multipliedBy(3).toNanos());
        return renewed.get() == before && database.queryForLong(version) == xmin;
    }

    @Test
    void anUnconfirmedLeaseIsInDangerAndALostOneIsNotMore() throws Exception {
        try (var wire = Wire.to(database);
                var leases = Leases.on(TestDatabase.dataSource(wire.jdbcUrl(database)))
                        .ttl(Duration.ofSeconds(2))
                        .build()) {
            var lease = leases.tryAcquire("sweep", LIMIT).lease().orElseThrow();
            wire.become(Wire.Mode.CUT);
            Await.until("unconfirmed", LIMIT, () -> lease.state() == LeaseState.UNCONFIRMED);
            assertThat(leases.inDanger()).containsExactly(lease);
            database.execute("delete from leases");
            wire.become(Wire.Mode.WHOLE);
            Await.until("lost", LIMIT, () -> lease.state() == LeaseState.LOST);
            assertThat(leases.inDanger()).isEmpty();
        }
    }
}
