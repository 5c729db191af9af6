package dev.leasehold.spring.actuate;

import dev.leasehold.Leases;
import dev.leasehold.micrometer.LeaseholdMeters;
import java.util.List;

/** The gauges of an application's leases, there until this is closed, which is before the leases are. */
final class BoundMeters implements AutoCloseable {

    private final LeaseholdMeters meters;
    private final List<Leases> bound;

    BoundMeters(LeaseholdMeters meters, List<Leases> leases) {
        this.meters = meters;
        this.bound = leases;
        leases.forEach(meters::bind);
    }

    @Override
    public void close() {
        bound.forEach(meters::unbind);
    }
}
