package dev.leasehold;

import dev.leasehold.internal.SafeLog;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE_AT_LEAST = Duration.ofSeconds(2);
    private static final int TURNS_AT_LEAST = 20;

    private final ScheduledThreadPoolExecutor threads =
            new ScheduledThreadPoolExecutor(THREADS, DaemonThreads.named("leasehold-background"));
    private final Set<Repeated> unfinished = ConcurrentHashMap.newKeySet();

    Background() {
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

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

    /** Repeats with growing pauses, the first one short, the longest a twentieth of the limit. */
    void repeat(String what, Duration limit, Step step) {
        repeat(what, limit, step, () -> {});
    }

    /**
     * As {@link #repeat(String, Duration, Step)}.
     *
     * @param givenUp run if the limit has passed and it is not done; not at the end of the leases
     */
    void repeat(String what, Duration limit, Step step, Runnable givenUp) {
        Duration part = limit.dividedBy(TURNS_AT_LEAST);
        Duration longest = part.compareTo(LONGEST_PAUSE_AT_LEAST) < 0 ? LONGEST_PAUSE_AT_LEAST : part;
        schedule(new Repeated(what, System.nanoTime() + limit.toNanos(), longest, step, givenUp), FIRST_PAUSE);
    }

    private record Repeated(String what, long endNanos, Duration longestPause, Step step, Runnable givenUp) {}

    private void schedule(Repeated repeated, Duration pause) {
        unfinished.add(repeated);
        long jittered = ThreadLocalRandom.current().nextLong(pause.toNanos() / 2, pause.toNanos());
        try {
            var unused = threads.schedule(() -> run(repeated, pause), jittered, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            unfinished.remove(repeated);
            log.info(
                    "{} is given up, for the leases are closed (a lease that is not released runs out)",
                    repeated.what());
        }
    }

    /** Who takes it out runs it, so that the last turn at the end never runs beside another. */
    private void run(Repeated repeated, Duration pause) {
        if (!unfinished.remove(repeated) || isDone(repeated)) {
            return;
        }
        if (System.nanoTime() - repeated.endNanos() >= 0) {
            log.debug("{} is given up: its time has passed", repeated.what());
            repeated.givenUp().run();
            return;
        }
        Duration next = pause.multipliedBy(2);
        schedule(repeated, next.compareTo(repeated.longestPause()) < 0 ? next : repeated.longestPause());
    }

    private static boolean isDone(Repeated repeated) {
        try {
            return repeated.step().done();
        } catch (Throwable thrown) {
            SafeLog.debug(log, repeated.what() + " failed and is tried again", thrown);
            return false;
        }
    }

    private void runLast(Repeated repeated) {
        if (unfinished.remove(repeated) && !isDone(repeated)) {
            log.info(
                    "{} is given up, for the leases are closed (a lease that is not released runs out)",
                    repeated.what());
        }
    }

    /** Gives what is not finished one more turn, within the limit. */
    void close(Duration limit) {
        for (Repeated repeated : unfinished) {
            executor().execute(() -> runLast(repeated));
        }
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
