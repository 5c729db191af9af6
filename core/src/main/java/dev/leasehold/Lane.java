package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Threads that borrow connections and send statements, so that whoever waits for an answer waits no longer than a bound,
 * even if the pool is empty or the server silent. As many work at a time as there are places; one that is given up and
 * still stuck counts no more, so that a {@code getConnection} that never returns cannot keep the others from their turn. The
 * renewal has a lane of its own; callers and background work share one, so that however many wait for a locked table, a
 * pool of four has a connection left for the rest of the application. Thread-safe.
 */
final class Lane implements AutoCloseable {

    /** How many stuck threads are put up with before the next one keeps its place in the lane. */
    private static final int MOST_STUCK = 100;

    private final ExecutorService threads;
    private final Semaphore places;
    private final Semaphore mayBeStuck = new Semaphore(MOST_STUCK);
    private final ExecutorService cancels;

    Lane(String name, int size) {
        this.threads = Executors.newCachedThreadPool(DaemonThreads.named("leasehold-" + name));
        this.cancels = Executors.newCachedThreadPool(DaemonThreads.named("leasehold-" + name + "-cancel"));
        this.places = new Semaphore(size, true);
    }

    /**
     * Waits for the answer.
     *
     * @throws UnknownOutcomeException if none came within the bound, or the thread was interrupted (its flag stays set)
     */
    <T> T await(Attempt<T> attempt, Duration bound) throws SQLException {
        long end = System.nanoTime() + bound.toNanos();
        Place place = null;
        try {
            if (!places.tryAcquire(bound.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new UnknownOutcomeException("no turn within " + bound.toMillis() + " ms", false);
            }
            place = new Place();
            Future<T> answer = submit(attempt, place);
            return answer.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            String what = attempt.isBorrowing() ? "no connection" : "no answer";
            throw givenUp(attempt, place, what + " within " + bound.toMillis() + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw givenUp(attempt, place, "interrupted while waiting for the answer");
        } catch (ExecutionException e) {
            throw failed(attempt, e);
        }
    }

    private <T> Future<T> submit(Attempt<T> attempt, Place place) throws SQLException {
        try {
            return threads.submit(() -> {
                try {
                    return attempt.call();
                } finally {
                    place.left();
                }
            });
        } catch (Throwable thrown) {
            place.left();
            String why = thrown instanceof RejectedExecutionException ? "the leases are closed" : thrown.toString();
            throw UnknownOutcomeException.notSent(new SQLException(why, thrown));
        }
    }

    private UnknownOutcomeException givenUp(Attempt<?> attempt, @Nullable Place place, String why) {
        boolean sent = attempt.giveUp();
        if (sent) {
            cancel(attempt);
        }
        if (place != null) {
            place.isStuck();
        }
        return new UnknownOutcomeException(why, sent);
    }

    private void cancel(Attempt<?> attempt) {
        try {
            cancels.execute(attempt::cancel);
        } catch (RejectedExecutionException e) {
            // the end of the leases; the socket's bound ends the statement too
        }
    }

    private static SQLException failed(Attempt<?> attempt, ExecutionException failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        if (!attempt.wasSent()) {
            return UnknownOutcomeException.notSent(cause);
        }
        return cause instanceof SQLException sql ? sql : new SQLException(cause);
    }

    @Override
    public void close() {
        threads.shutdown();
        cancels.shutdown();
    }

    /** A place in the lane: given back once, by the thread that leaves it, or on its behalf if it is stuck. */
    private final class Place {

        private final AtomicBoolean givenBack = new AtomicBoolean();

        void left() {
            if (givenBack.compareAndSet(false, true)) {
                places.release();
            } else {
                mayBeStuck.release();
            }
        }

        void isStuck() {
            if (mayBeStuck.tryAcquire()) {
                if (givenBack.compareAndSet(false, true)) {
                    places.release();
                } else {
                    mayBeStuck.release();
                }
            }
        }
    }
}
