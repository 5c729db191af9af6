package dev.leasehold.micrometer;

import dev.leasehold.Lease;
import dev.leasehold.LeaseState;
import dev.leasehold.Leases;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What is the case with the leases of all bound {@link Leases}, there while any are bound. Thread-safe. */
final class LeaseGauges {

    private final MeterRegistry registry;
    private final List<Leases> bound = new CopyOnWriteArrayList<>();
    private final List<Meter> gauges = new ArrayList<>();

    LeaseGauges(MeterRegistry registry) {
        this.registry = registry;
    }

    synchronized void bind(Leases some) {
        Objects.requireNonNull(some, "leases");
        if (bound.contains(some)) {
            return;
        }
        bound.add(some);
        if (gauges.isEmpty()) {
            gauges.add(Gauge.builder("leasehold.leases.held", () -> count(LeaseState.HELD))
                    .description("leases held at this moment")
                    .register(registry));
            gauges.add(Gauge.builder("leasehold.leases.unconfirmed", () -> count(LeaseState.UNCONFIRMED))
                    .description("leases past their own deadline, held again if a renewal gets through")
                    .register(registry));
            gauges.add(TimeGauge.builder("leasehold.leases.time.left", this::secondsLeft, TimeUnit.SECONDS)
                    .description(
                            "the shortest time to the own deadline of a lease, negative once it has passed; NaN without leases")
                    .register(registry));
        }
    }

    synchronized void unbind(Leases some) {
        bound.remove(some);
        if (bound.isEmpty()) {
            gauges.forEach(registry::remove);
            gauges.clear();
        }
    }

    private Stream<Lease> leases() {
        return bound.stream().flatMap(some -> some.held().stream());
    }

    private long count(LeaseState state) {
        return leases().filter(lease -> lease.state() == state).count();
    }

    private double secondsLeft() {
        return leases().filter(lease -> lease.state() == LeaseState.HELD || lease.state() == LeaseState.UNCONFIRMED)
                .mapToDouble(lease -> Seconds.of(lease.timeLeft()))
                .min()
                .orElse(Double.NaN);
    }
}
