package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A few threads that borrow connections and send statements, so that whoever waits for an answer waits no longer than a
 * bound, even if the pool is empty or the server silent. Callers and the renewal have lanes of their own: callers stuck on
 * an empty pool cannot keep the renewal from its turn. Thread-safe.
 */
final class Lane implements AutoCloseable {

    private static final Duration IDLE = Duration.ofSeconds(30);

    private final ThreadPoolExecutor threads;
    private final Executor canceller;

    Lane(String name, int size, Executor canceller) {
        this.threads = new ThreadPoolExecutor(
                size,
                size,
                IDLE.toMillis(),
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                DaemonThreads.named("leasehold-" + name));
        threads.allowCoreThreadTimeOut(true);
        this.canceller = canceller;
    }

    /**
     * Waits for the answer.
     *
     * @throws UnknownOutcomeException if none came within the bound, or the thread was interrupted (its flag stays set)
     */
    <T> T await(Attempt<T> attempt, Duration bound) throws SQLException {
        Future<T> answer = submit(attempt);
        try {
            return answer.get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw givenUp(attempt, answer, "no answer within " + bound.toMillis() + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw givenUp(attempt, answer, "interrupted while waiting for the answer");
        } catch (ExecutionException e) {
            throw failed(attempt, e);
        }
    }

    private <T> Future<T> submit(Attempt<T> attempt) throws SQLException {
        try {
            return threads.submit(attempt);
        } catch (RejectedExecutionException e) {
            throw UnknownOutcomeException.notSent(new SQLException("the leases are closed", e));
        }
    }

    private <T> UnknownOutcomeException givenUp(Attempt<T> attempt, Future<T> answer, String why) {
        boolean sent = attempt.giveUp();
        if (sent) {
            canceller.execute(attempt::cancel);
        } else {
            answer.cancel(false);
            threads.purge();
        }
        return new UnknownOutcomeException(why, sent);
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
    }
}
