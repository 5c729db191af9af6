package dev.leasehold.watch.sweep;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** One round: batch after batch until nothing is left, the budget is spent or the lease is no longer held. */
final class SweepJob {

    private static final Logger log = LoggerFactory.getLogger(SweepJob.class);

    private final SweepStore store;
    private final int batchSize;
    private final Duration budget;

    SweepJob(SweepStore store, int batchSize, Duration budget) {
        this.store = store;
        this.batchSize = batchSize;
        this.budget = budget;
    }

    /** Throws, after all the rest is done, what kept one kind of row from being deleted even one at a time. */
    void run(BooleanSupplier held) {
        Turns turns = new Turns(batchSize);
        RuntimeException failure = null;
        long endNanos = System.nanoTime() + budget.toNanos();
        Optional<Leftover> next = turns.next();
        while (next.isPresent() && held.getAsBoolean() && System.nanoTime() - endNanos < 0) {
            RuntimeException failed = batch(turns, next.get());
            failure = failed == null ? failure : failed;
            next = turns.next();
        }
        if (!turns.summary().isEmpty()) {
            log.info("swept {}{}", turns.summary(), next.isPresent() ? "; more is left for the next round" : "");
        }
        if (failure != null) {
            throw failure;
        }
    }

    private @Nullable RuntimeException batch(Turns turns, Leftover leftover) {
        int size = turns.size(leftover);
        try {
            turns.deleted(store.delete(leftover, size));
            return null;
        } catch (DataAccessException | TransactionException e) {
            if (!turns.failed()) {
                return e;
            }
            log.warn(
                    "a batch of {} {} could not be deleted, trying {}: {}",
                    size,
                    leftover.plural(),
                    turns.size(leftover),
                    e.getMessage());
            return null;
        }
    }
}
