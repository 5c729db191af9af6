package dev.leasehold.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.ReleaseOutcome;
import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.RoundOutcome;
import dev.leasehold.rounds.Rounds;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.cumulative.CumulativeCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A registry whose meters throw hurts nobody. */
class ThrowingMetersTest {

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final AtomicInteger thrown = new AtomicInteger();
    private final LeaseholdMeters meters = new LeaseholdMeters(new SimpleMeterRegistry() {
        @Override
        protected Counter newCounter(Meter.Id id) {
            return new CumulativeCounter(id) {
                @Override
                public void increment(double amount) {
                    thrown.incrementAndGet();
                    throw new StackOverflowError("by the test");
                }
            };
        }
    });

    private Leases leases() {
        return Leases.on(database.dataSource())
                .renewEvery(Duration.ofMillis(100))
                .metrics(meters)
                .build();
    }

    private String expiry() {
        try {
            return String.valueOf(database.queryForString("select expires_at from leases where name = 'a'"));
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void leasesAreGainedRenewedAndReleasedAllTheSame() throws Exception {
        try (var leases = leases()) {
            meters.bind(leases);
            var lease = leases.tryAcquire("a").lease().orElseThrow();
            assertThat(leases.tryAcquire("a").lease()).isEmpty();
            for (int renewal = 0; renewal < 3; renewal++) {
                String before = expiry();
                Await.until("a renewal", () -> !expiry().equals(before));
            }
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
        assertThat(thrown.get()).isGreaterThan(5);
    }

    @Test
    void roundsRunAndCountAllTheSame() {
        try (var leases = leases();
                var rounds = Rounds.on(leases)
                        .listener(meters)
                        .add(Round.named("a").every(Duration.ofHours(1)).work(context -> {}))
                        .byHand()) {
            meters.bind(rounds);
            for (int pass = 0; pass < 2; pass++) {
                var run = rounds.passDue("a").orElseThrow();
                assertThat(run.outcome()).isEqualTo(RoundOutcome.DONE);
                assertThat(run.counted()).isTrue();
            }
        }
        assertThat(thrown.get()).isGreaterThan(1);
    }
}
