package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

    private final int places;
    private final ExecutorService threads;
    private final ExecutorService cancels;
    private final Deque<Ticket<?>> queue = new ArrayDeque<>();
    private int working;
    private int stuck;
    private boolean closed;

    Lane(String name, int places) {
        this.places = places;
        this.threads = Executors.newCachedThreadPool(DaemonThreads.named("leasehold-" + name));
        this.cancels = Executors.newCachedThreadPool(DaemonThreads.named("leasehold-" + name + "-cancel"));
    }

    /** Sends an attempt when its turn comes, and waits for the answer: {@link Ticket#await}. */
    <T> T await(Attempt<T> attempt, Duration bound) throws SQLException {
        return enqueue(attempt).await(bound);
    }

    /** Puts an attempt in the queue. */
    <T> Ticket<T> enqueue(Attempt<T> attempt) throws SQLException {
        var ticket = new Ticket<>(attempt);
        synchronized (queue) {
            if (closed) {
                throw new UnknownOutcomeException("the leases are closed", false);
            }
            queue.add(ticket);
            try {
                startOneMore();
            } catch (Throwable thrown) {
                queue.remove(ticket);
                throw UnknownOutcomeException.notSent(thrown);
            }
        }
        return ticket;
    }

    private void startOneMore() {
        if (working < places && !queue.isEmpty()) {
            threads.execute(this::work);
            working++;
        }
    }

    /** At the end no thread starts any more: those who wait are told. */
    private void startOneMoreOrEndAll() {
        try {
            startOneMore();
        } catch (RejectedExecutionException e) {
            for (Ticket<?> next = queue.poll(); next != null; next = queue.poll()) {
                next.attempt.giveUp();
                next.answer.run();
            }
        }
    }

    private void work() {
        for (Ticket<?> next = next(); next != null; next = next()) {
            next.answer.run();
            if (!next.isPlaceKept()) {
                return;
            }
        }
    }

    private @Nullable Ticket<?> next() {
        synchronized (queue) {
            Ticket<?> next = queue.poll();
            if (next == null) {
                working--;
            } else {
                next.isUnderWay = true;
            }
            return next;
        }
    }

    private void cancel(Attempt<?> attempt) {
        try {
            cancels.execute(attempt::cancel);
        } catch (RejectedExecutionException e) {
            // the end of the leases; the socket's bound ends the statement too
        }
    }

    @Override
    public void close() {
        synchronized (queue) {
            closed = true;
        }
        threads.shutdown();
        cancels.shutdown();
    }

    /** An attempt in the queue or under way. Any number of threads may wait for its answer. */
    final class Ticket<T> {

        private final Attempt<T> attempt;
        private final FutureTask<T> answer;
        private boolean isUnderWay;
        private boolean isStuck;

        private Ticket(Attempt<T> attempt) {
            this.attempt = attempt;
            this.answer = new FutureTask<>(attempt);
        }

        /**
         * Waits for the answer; if none comes, the attempt is given up, for all who wait.
         *
         * @throws UnknownOutcomeException if none came within the bound, or the thread was interrupted (its flag stays set)
         */
        T await(Duration bound) throws SQLException {
            try {
                return get(bound);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw giveUp("interrupted while waiting for the answer");
            }
        }

        /** As {@link #await}, except that an interrupt ends the wait of this thread alone. */
        T get(Duration bound) throws SQLException, InterruptedException {
            try {
                return answer.get(bound.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                throw giveUp(whatIsMissing() + " within " + bound.toMillis() + " ms");
            } catch (ExecutionException e) {
                throw failed(e);
            }
        }

        private String whatIsMissing() {
            synchronized (queue) {
                if (!isUnderWay) {
                    return "no turn";
                }
            }
            return attempt.isBorrowing() ? "no connection" : "no answer";
        }

        /** Of what was not sent nothing is sent any more; what was sent is cancelled. */
        UnknownOutcomeException giveUp(String why) {
            boolean sent = attempt.giveUp();
            if (sent) {
                cancel(attempt);
            }
            giveBackPlace();
            return new UnknownOutcomeException(why, sent);
        }

        /** On behalf of the thread that is stuck, so that those behind it get their turn. */
        private void giveBackPlace() {
            synchronized (queue) {
                if (queue.remove(this)) {
                    answer.run(); // answers that it is given up, without a connection
                } else if (!isStuck && !answer.isDone() && stuck < MOST_STUCK) {
                    isStuck = true;
                    stuck++;
                    working--;
                    startOneMoreOrEndAll();
                }
            }
        }

        /** Whether the thread that has just answered may go on to the next. */
        private boolean isPlaceKept() {
            synchronized (queue) {
                if (isStuck) {
                    stuck--;
                }
                return !isStuck;
            }
        }

        private SQLException failed(ExecutionException failure) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            if (!attempt.wasSent()) {
                return UnknownOutcomeException.notSent(cause);
            }
            return cause instanceof SQLException sql ? sql : new SQLException(cause);
        }
    }
}
