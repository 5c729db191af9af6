package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finishes what could not be finished at once: repeats a step until it is done or a limit has passed. Thread-safe. */
final class Background implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Background.class);
    private static final int THREADS = 4;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final ScheduledThreadPoolExecutor threads =
            new ScheduledThreadPoolExecutor(THREADS, DaemonThreads.named("leasehold-background"));

    /** One step towards an end. */
    @FunctionalInterface
    interface Step {
        /** Whether nothing is left to do. */
        boolean done() throws SQLException;
    }

    /** Runs a task once; after the end of the leases nothing is left that it could help. */
    Executor executor() {
        return task -> {
            try {
                threads.execute(task);
            } catch (RejectedExecutionException e) {
                log.debug("a background task is dropped: the leases are closed");
            }
        };
    }

    /** Repeats with growing pauses, the first one short. */
    void repeat(String what, Duration limit, Step step) {
        schedule(what, System.nanoTime() + limit.toNanos(), FIRST_PAUSE, step);
    }

    private void schedule(String what, long endNanos, Duration pause, Step step) {
        long jittered = ThreadLocalRandom.current().nextLong(pause.toNanos() / 2, pause.toNanos());
        try {
            var unused = threads.schedule(() -> run(what, endNanos, pause, step), jittered, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            log.warn("{} is given up: the leases are closed; the lease runs out by itself", what);
        }
    }

    private void run(String what, long endNanos, Duration pause, Step step) {
        try {
            if (step.done()) {
                return;
            }
        } catch (SQLException | RuntimeException e) {
            log.debug("{} failed and is tried again", what, e);
        }
        if (System.nanoTime() - endNanos >= 0) {
            log.debug("{} is given up: a whole lease has passed", what);
            return;
        }
        Duration next = pause.multipliedBy(2);
        schedule(what, endNanos, next.compareTo(LONGEST_PAUSE) < 0 ? next : LONGEST_PAUSE, step);
    }

    /** Gives what is not finished one more turn, within the limit. */
    void close(Duration limit) {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                log.debug("background work goes on after {}", limit);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        close(Duration.ZERO);
    }
}
