package dev.leasehold.watch.alerts;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

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

    /**
     * What was decided is not written once the lease is no longer held: it may be long out of date. Throws, after all
     * the rest is done, what kept a change from being recorded.
     */
    void run(BooleanSupplier held) throws InterruptedException {
        RuntimeException failure = null;
        for (Evaluated monitor : store.evaluated(freshFor)) {
            Optional<Change> change = AlertRules.decide(monitor.known(), monitor.sightings());
            if (change.isPresent() && held.getAsBoolean()) {
                failure = joined(failure, record(monitor, change.get()));
            }
        }
        try {
            delivery.run(held);
        } catch (RuntimeException e) {
            failure = joined(failure, e);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private @Nullable RuntimeException record(Evaluated monitor, Change change) {
        try {
            store.record(monitor.monitorId(), change);
            return null;
        } catch (DataAccessException | TransactionException e) {
            return e;
        }
    }

    private static @Nullable RuntimeException joined(
            @Nullable RuntimeException failure, @Nullable RuntimeException another) {
        if (failure == null || another == null) {
            return failure == null ? another : failure;
        }
        if (failure != another) {
            failure.addSuppressed(another);
        }
        return failure;
    }
}
