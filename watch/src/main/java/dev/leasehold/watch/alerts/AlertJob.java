package dev.leasehold.watch.alerts;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** One round: records what has changed, then delivers what is due. */
final class AlertJob {

    private final AlertStore store;
    private final Delivery delivery;
    private final Duration freshFor;

    AlertJob(AlertStore store, Delivery delivery, Duration freshFor) {
        this.store = store;
        this.delivery = delivery;
        this.freshFor = freshFor;
    }

    /** What was decided is not written once the lease is no longer held: it may be long out of date. */
    void run(BooleanSupplier held) throws InterruptedException {
        for (Evaluated monitor : store.evaluated(freshFor)) {
            Optional<Change> change = AlertRules.decide(monitor.known(), monitor.sightings());
            if (change.isPresent() && held.getAsBoolean()) {
                store.record(monitor.monitorId(), change.get());
            }
        }
        delivery.run(held);
    }
}
