package dev.leasehold.spring.actuate;

import dev.leasehold.Leases;
import dev.leasehold.micrometer.LeaseholdMeters;
import dev.leasehold.rounds.Rounds;
import dev.leasehold.spring.rounds.RoundsObserver;
import java.util.List;

/**
 * The gauges of an application's leases, there until this is closed, which is before the leases are; and of its rounds, there
 * while they run.
 */
final class BoundMeters implements AutoCloseable, RoundsObserver {

    private final LeaseholdMeters meters;
    private final List<Leases> bound;

    BoundMeters(LeaseholdMeters meters, List<Leases> leases) {
        this.meters = meters;
        this.bound = leases;
        leases.forEach(meters::bind);
    }

    @Override
    public void started(Rounds rounds) {
        meters.bind(rounds);
    }

    @Override
    public void stopped(Rounds rounds) {
        meters.unbind(rounds);
    }

    @Override
    public void close() {
        bound.forEach(meters::unbind);
    }
}
