package dev.leasehold.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is the case with the leases that are bound. */
class LeaseGaugesTest {

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final BreakableDataSource source = new BreakableDataSource(database.dataSource());
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LeaseholdMeters meters = new LeaseholdMeters(registry);
    private final List<Leases> made = new ArrayList<>();

    @AfterEach
    void close() {
        made.forEach(Leases::close);
    }

    private Leases leases(Duration ttl) {
        var some = Leases.on(source).ttl(ttl).build();
        made.add(some);
        return some;
    }

    private double gauge(String name) {
        return registry.get("leasehold.leases." + name).gauge().value();
    }

    @Test
    void heldLeasesAreCountedAndTheShortestTimeLeftIsTold() {
        var brief = leases(Duration.ofSeconds(30));
        var lasting = leases(Duration.ofMinutes(10));
        meters.bind(brief);
        meters.bind(lasting);
        assertThat(gauge("held")).isZero();
        assertThat(gauge("time.left")).isNaN();
        assertThat(lasting.tryAcquire("a").lease()).isPresent();
        assertThat(gauge("time.left")).isBetween(60.0, 550.0);
        var second = brief.tryAcquire("b").lease().orElseThrow();
        assertThat(gauge("held")).isEqualTo(2);
        assertThat(gauge("time.left")).isBetween(5.0, 27.5);
        second.release();
        assertThat(gauge("held")).isEqualTo(1);
        assertThat(gauge("time.left")).isGreaterThan(60);
    }

    @Test
    void aLeasePastItsOwnDeadlineIsUnconfirmedAndNotHeld() throws Exception {
        var some = leases(Duration.ofSeconds(4));
        meters.bind(some);
        assertThat(some.tryAcquire("a").lease()).isPresent();
        Await.until("confirmed", () -> gauge("unconfirmed") == 0 && gauge("held") == 1);
        source.broken(true);
        Await.until("unconfirmed", () -> gauge("unconfirmed") == 1);
        assertThat(gauge("held")).isZero();
        assertThat(gauge("time.left")).isNegative();
        source.broken(false);
        Await.until("held again", () -> gauge("held") == 1);
    }

    @Test
    void bindingTheSameLeasesTwiceDoublesNothing() {
        var some = leases(Duration.ofMinutes(1));
        meters.bind(some);
        int once = registry.getMeters().size();
        meters.bind(some);
        assertThat(some.tryAcquire("a").lease()).isPresent();
        assertThat(registry.getMeters()).hasSize(once);
        assertThat(gauge("held")).isEqualTo(1);
        meters.unbind(some);
        assertThat(registry.find("leasehold.leases.held").gauge()).isNull();
    }

    @Test
    void gaugesGoWithTheLastLeasesThatAreUnbound() {
        var some = leases(Duration.ofMinutes(1));
        var more = leases(Duration.ofMinutes(1));
        int before = registry.getMeters().size();
        meters.bind(some);
        meters.bind(more);
        assertThat(some.tryAcquire("a").lease()).isPresent();
        meters.unbind(some);
        assertThat(gauge("held")).isZero();
        meters.unbind(more);
        assertThat(registry.getMeters()).hasSize(before);
        meters.bind(some);
        assertThat(gauge("held")).isEqualTo(1);
    }
}
