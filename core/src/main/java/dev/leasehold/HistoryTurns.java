package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets one statement on the run history at a time go on its way, first come first served. So however long its table is locked,
 * and however many write and read it, the lane that acquires and releases share with it keeps a place for them. Thread-safe.
 */
final class HistoryTurns {

    private final Semaphore turn = new Semaphore(1, true);

    /** What is done in a turn. */
    @FunctionalInterface
    interface Statement<T> {
        /**
         * Sends it, and waits for its answer.
         *
         * @param rest how long it may take, half of the bound at least
         */
        T send(Duration rest) throws SQLException;
    }

    /**
     * Waits for a turn for half of the bound at most.
     *
     * @throws UnknownOutcomeException if none came, or the thread is interrupted (its flag stays set)
     */
    <T> T await(Duration bound, Statement<T> statement) throws SQLException {
        long start = System.nanoTime();
        Duration half = bound.dividedBy(2);
        take(half);
        try {
            // Less is left where this thread was held up.
            Duration rest = bound.minusNanos(System.nanoTime() - start);
            return statement.send(rest.compareTo(half) < 0 ? half : rest);
        } finally {
            turn.release();
        }
    }

    private void take(Duration bound) throws SQLException {
        try {
            if (!turn.tryAcquire(bound.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new UnknownOutcomeException("no turn within " + bound.toMillis() + " ms", false);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnknownOutcomeException("interrupted while waiting for a turn", false);
        }
    }
}
