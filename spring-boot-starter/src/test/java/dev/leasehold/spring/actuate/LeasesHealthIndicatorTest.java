package dev.leasehold.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.LeaseState;
import dev.leasehold.Leases;
import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.RoundStatus;
import dev.leasehold.rounds.Rounds;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class LeasesHealthIndicatorTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final TestDatabase database = TestPostgres.freshDatabase();

    private static Health health(Leases leases) {
        return new LeasesHealthIndicator(leases, List::of).health();
    }

    @Test
    void itIsUpWithoutALeaseAndWithLeasesThatAreWellAndNamesAFewOfThem() {
        try (var leases = Leases.on(database.dataSource()).build()) {
            assertThat(health(leases))
                    .isEqualTo(Health.up().withDetail("held", 0).build());
            List<Lease> held = new ArrayList<>();
            for (int i = 10; i < 35; i++) {
                held.add(leases.tryAcquire("lease " + i).lease().orElseThrow());
            }
            Health health = health(leases);
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).containsOnlyKeys("held", "leases").containsEntry("held", 25);
            assertThat(health.getDetails().get("leases"))
                    .asInstanceOf(LIST)
                    .hasSize(20)
                    .startsWith("lease 10", "lease 11")
                    .endsWith("lease 29");
            held.forEach(Lease::release);
            assertThat(health(leases).getDetails()).isEqualTo(Map.of("held", 0));
        }
    }

    /** In memory: it answers while the database does not. */
    @Test
    void itIsDownOnceRenewalsFailForHalfALeaseThenUnconfirmedAndUpAgainByItself() throws Exception {
        try (var wire = Wire.to(database);
                var leases = Leases.on(TestDatabase.dataSource(wire.jdbcUrl(database)))
                        .ttl(Duration.ofSeconds(4))
                        .build()) {
            var lease = leases.tryAcquire("sweep").lease().orElseThrow();
            boolean wasDownWhileHeld = false;
            // once will do, unless this thread is kept from looking for longer than it lasts
            for (int time = 1; time <= 5 && !wasDownWhileHeld; time++) {
                await().atMost(LIMIT).until(() -> health(leases).getStatus().equals(Status.UP));
                wire.become(Wire.Mode.CUT);
                Health down = await().atMost(LIMIT)
                        .until(
                                () -> health(leases),
                                health -> health.getStatus().equals(Status.DOWN));
                assertThat(down.getDetails()).containsEntry("renewalFails", List.of("sweep"));
                wasDownWhileHeld = lease.isHeld() && !down.getDetails().containsKey("unconfirmed");
                await().atMost(LIMIT).until(() -> lease.state() == LeaseState.UNCONFIRMED);
                assertThat(health(leases).getDetails()).containsEntry("unconfirmed", List.of("sweep"));
                wire.become(Wire.Mode.WHOLE);
            }
            assertThat(wasDownWhileHeld).isTrue();
            await().atMost(LIMIT).until(() -> health(leases).getStatus().equals(Status.UP));
            lease.release();
        }
    }

    @Test
    void aRoundWithTroubleMakesItDownThoughNothingIsHeld() {
        try (var leases = Leases.on(database.dataSource()).build()) {
            var round = Round.named("sweep").every(Duration.ofHours(1)).work(context -> {});
            RoundStatus well = Rounds.on(leases).add(round).byHand().status().get(0);
            assertThat(new LeasesHealthIndicator(leases, () -> List.of(well))
                            .health()
                            .getStatus())
                    .isEqualTo(Status.UP);
            Health health = new LeasesHealthIndicator(
                            leases, () -> List.of(well, inTrouble(well, "no pass for an hour", false)))
                    .health();
            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.getDetails()).containsEntry("rounds", Map.of("sweep", "no pass for an hour"));
            Health failing = new LeasesHealthIndicator(
                            leases, () -> List.of(inTrouble(well, "its last 3 runs failed", true)))
                    .health();
            assertThat(failing.getStatus())
                    .as("the work fails, and not this instance")
                    .isEqualTo(Status.UP);
            assertThat(failing.getDetails()).containsEntry("rounds", Map.of("sweep", "its last 3 runs failed"));
        }
    }

    /** Its threads do nothing: as when something has ended it unseen. */
    @Test
    void aLoopThatIsReallyDeadMakesItDown() {
        var round = Round.named("sweep").every(Duration.ofSeconds(1)).work(context -> {});
        try (var leases = Leases.on(database.dataSource()).build()) {
            Rounds rounds = Rounds.on(leases)
                    .add(round)
                    .threads(work -> new Thread(() -> {}))
                    .start();
            try {
                var indicator = new LeasesHealthIndicator(leases, rounds::status);
                Health down = await().atMost(LIMIT)
                        .until(indicator::health, health -> health.getStatus().equals(Status.DOWN));
                assertThat(down.getDetails().get("rounds"))
                        .asInstanceOf(MAP)
                        .hasEntrySatisfying(
                                "sweep", trouble -> assertThat((String) trouble).startsWith("no pass for "));
            } finally {
                List<String> unused = rounds.stop(Duration.ZERO);
            }
        }
    }

    private static RoundStatus inTrouble(RoundStatus status, String trouble, boolean alive) {
        return new RoundStatus(
                status.round(),
                status.leaseName(),
                status.schedule(),
                status.running(),
                status.lastSlot(),
                status.lastStarted(),
                status.lastEnded(),
                status.lastOutcome(),
                status.lastDuration(),
                status.lastSuccess(),
                status.runs(),
                status.counted(),
                status.failures(),
                status.skippedSlots(),
                status.nextDue(),
                status.pauseReason(),
                status.lastPass(),
                Optional.of(trouble),
                alive);
    }

    @Test
    void whatCannotBeAskedIsNotWell() {
        try (var leases = Leases.on(database.dataSource()).build()) {
            var indicator = new LeasesHealthIndicator(leases, () -> {
                throw new IllegalStateException("broken");
            });
            assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
        }
    }
}
