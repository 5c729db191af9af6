package dev.leasehold.rounds;

import dev.leasehold.Leases;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs rounds on leases: for each round and slot there is one counted run in the whole cluster, or on each node, whoever
 * of the instances with that round gets to it first.
 *
 * <p>The slots are those of the database's clock. A run that ends counts, also one that ends by an exception. If its holder
 * dies instead, the slot is due again as soon as the lease ends: <em>at least once</em>. Slots that passed while no
 * instance ran, or while a run was longer than the period, are skipped: there is one late run, no catch-up. Runs of one
 * round do not overlap while the lease is trusted.
 *
 * <p>Its threads are daemons, so it keeps no JVM alive. Thread-safe.
 */
public final class Rounds implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Rounds.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

    private final List<RoundLoop> loops;
    private final ScheduledThreadPoolExecutor timer;
    private final ExecutorService workers;
    private final AtomicBoolean stopping = new AtomicBoolean();

    Rounds(Leases leases, String node, List<Round> rounds) {
        this.loops = rounds.stream()
                .map(round -> new RoundLoop(leases, round, round.leaseName(node), stopping::get))
                .toList();
        this.timer = new ScheduledThreadPoolExecutor(1, work -> daemon(work, "leasehold-rounds"));
        timer.setRemoveOnCancelPolicy(true);
        var made = new AtomicInteger();
        this.workers = Executors.newCachedThreadPool(work -> daemon(work, "leasehold-round-" + made.incrementAndGet()));
        loops.forEach(loop -> schedule(loop, Duration.ZERO));
    }

    /** Starts to describe the rounds that this instance takes part in. */
    public static RoundsBuilder on(Leases leases) {
        return new RoundsBuilder(leases);
    }

    /** What this instance knows of each round, in the order they were added. */
    public List<RoundStatus> status() {
        return loops.stream().map(RoundLoop::status).toList();
    }

    /**
     * Begins no new run, waits until the running ones have ended and released their leases, and returns. A run that does
     * not end in time goes on, keeps its lease while it is renewed, and is named in the log. Idle rounds stop at once.
     * There is no start after it.
     *
     * @param timeout how long to wait; zero does not wait
     * @return the names of the rounds whose runs had not ended
     */
    public List<String> stop(Duration timeout) {
        stopping.set(true);
        timer.shutdownNow();
        workers.shutdown();
        try {
            if (workers.awaitTermination(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS)) {
                return List.of();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        List<String> running =
                loops.stream().filter(RoundLoop::inPass).map(RoundLoop::name).toList();
        if (!running.isEmpty()) {
            log.error("rounds {} did not end within {}: their leases are not released", running, timeout);
        }
        return running;
    }

    /** As {@link #stop} with 20 seconds. */
    @Override
    public void close() {
        stop(CLOSE_TIMEOUT);
    }

    private void schedule(RoundLoop loop, Duration pause) {
        try {
            var unused = timer.schedule(() -> begin(loop), TimeUnit.NANOSECONDS.convert(pause), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            if (!stopping.get()) {
                log.error("round {} could not be scheduled and does not go on", loop.name(), e);
            }
        }
    }

    /** Hands the pass to a worker; without one it is tried again, for a loop must not end unseen. */
    private void begin(RoundLoop loop) {
        try {
            workers.execute(() -> pass(loop));
        } catch (Throwable thrown) {
            if (!stopping.get()) {
                log.error("a pass of round {} has no worker; it is tried again", loop.name(), thrown);
                schedule(loop, RoundLoop.PAUSE_AFTER_AN_ERROR);
            }
        }
    }

    private void pass(RoundLoop loop) {
        Duration pause = RoundLoop.PAUSE_AFTER_AN_ERROR;
        try {
            pause = loop.pass();
        } catch (Throwable thrown) {
            log.error("a pass of round {} threw; the next one follows", loop.name(), thrown);
        } finally {
            schedule(loop, pause);
        }
    }

    private static Thread daemon(Runnable work, String name) {
        var thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}
