package dev.leasehold.rounds;

import dev.leasehold.Leases;
import dev.leasehold.internal.SafeLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs rounds on leases: for each round and slot there is one counted run in the whole cluster, or on each node, whoever
 * of the instances with that round gets to it first.
 *
 * <p>The slots are those of the database's clock. What a run counts as is the round's {@link Promise}. Slots that passed while
 * no instance ran, or while a run was longer than the period, are skipped: there is one late run, no catch-up. Runs of one
 * round do not overlap while the lease is trusted. The package page says the rest.
 *
 * <p>Its threads keep no JVM alive. Thread-safe.
 */
public final class Rounds implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Rounds.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);
    /** Longer than a look takes that is answered. */
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(1);

    private final List<RoundLoop> loops;
    private final RoundTimer timer;
    private final ExecutorService workers;
    private final AtomicBoolean stopping;
    private final AtomicBoolean interrupting;

    Rounds(
            List<RoundLoop> loops,
            RoundTimer timer,
            ExecutorService workers,
            AtomicBoolean stopping,
            AtomicBoolean interrupting) {
        this.loops = loops;
        this.timer = timer;
        this.workers = workers;
        this.stopping = stopping;
        this.interrupting = interrupting;
        loops.forEach(loop -> schedule(loop, Duration.ZERO));
    }

    /** Starts to describe the rounds that this instance takes part in. */
    public static RoundsBuilder on(Leases leases) {
        return new RoundsBuilder(leases);
    }

    /** What this instance knows of each round, in the order they were added. No I/O. */
    public List<RoundStatus> status() {
        return loops.stream().map(RoundLoop::status).toList();
    }

    /** Whether {@link #stop} was called: no run begins any more. */
    public boolean isStopped() {
        return stopping.get();
    }

    /**
     * An operator's request for one extra run of a round on this instance, as soon as a worker is free: whether a slot is due
     * or not, exclusive like any other run, and without a say over the slots. If a failed slot rests until its next try, that rest
     * ends, and the slot is due after this run. {@link dev.leasehold.Leases#makeDue} asks the same of any instance.
     *
     * <p>Work of a round must not wait for the answer: an extra run of its own round is not begun while it runs, and where {@link
     * RoundsBuilder#workers} are few, it may keep the very worker that it waits for, and wait for ever.
     *
     * @return how it ended; empty if it was not begun: another run holds the lease at this moment, the round is paused, these
     *     rounds stop, or the lease was lost before. Fails with a {@link dev.leasehold.LeaseException} if the database could not be asked
     * @throws IllegalArgumentException if there is no round of that name here
     */
    public CompletableFuture<Optional<RoundRun>> runNow(String round) {
        RoundLoop loop = RoundLoop.named(loops, round);
        try {
            return CompletableFuture.supplyAsync(() -> runNow(loop), workers);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
    }

    private Optional<RoundRun> runNow(RoundLoop loop) {
        try {
            return loop.runNow();
        } finally {
            endAfterLast();
        }
    }

    /**
     * Begins no new run, waits until the running ones have ended and released their leases, and returns. Their leases are
     * renewed meanwhile. A run that does not end in time goes on and keeps its lease for as long as that is renewed, and is
     * named in the log. Idle rounds stop at once, and within a second or so where they ask a database that does not answer. There is
     * no start after it, but {@link RoundsBuilder#start()} may be called again. On an interrupted thread it does not wait, and the flag stays set.
     *
     * @param timeout how long to wait; zero does not wait
     * @return the names of the rounds whose runs had not ended
     * @throws IllegalArgumentException for a negative timeout
     */
    public List<String> stop(Duration timeout) {
        return stop(timeout, Optional.empty());
    }

    /**
     * As {@link #stop(Duration)}, but what has not ended in time is interrupted, and waited for a little longer. The slot of a
     * run that ends by that stays due, but with {@link Promise#AT_MOST_ONCE}, and the others may run it at once. If this thread is
     * interrupted, they are interrupted at once, and not waited for.
     *
     * @param grace how long to wait after the interrupt
     * @throws IllegalArgumentException for a negative timeout or grace
     */
    public List<String> stop(Duration timeout, Duration grace) {
        return stop(timeout, Optional.of(grace));
    }

    private List<String> stop(Duration timeout, Optional<Duration> grace) {
        checkNotNegative("timeout", timeout);
        grace.ifPresent(more -> checkNotNegative("grace", more));
        stopping.set(true);
        workers.shutdown();
        boolean isWaitInterrupted = false;
        try {
            if (!haveEnded(timeout) && grace.isPresent()) {
                interruptRuns("did not end within " + timeout);
                boolean unused = awaitEnd(grace.get());
            }
        } catch (InterruptedException e) {
            isWaitInterrupted = true;
            loops.forEach(RoundLoop::interruptLooks);
            if (grace.isPresent()) {
                interruptRuns("are not waited for any more, for the wait was interrupted,");
            }
            Thread.currentThread().interrupt();
        }
        endAfterLast();
        List<String> running = running();
        if (!running.isEmpty()) {
            log.error(
                    "rounds {} did not end {}: their leases are not released",
                    running,
                    isWaitInterrupted
                            ? "before the wait was interrupted"
                            : "within " + timeout.plus(grace.orElse(Duration.ZERO)));
        }
        List<String> looking = underWay()
                .filter(loop -> !loop.isRunning())
                .map(RoundLoop::name)
                .toList();
        if (!looking.isEmpty()) {
            log.info("rounds {} still ask the database whether they are due, and begin nothing any more", looking);
        }
        return running;
    }

    private static void checkNotNegative(String what, Duration wait) {
        if (wait.isNegative()) {
            throw new IllegalArgumentException(what + " is " + wait + ", but must not be negative");
        }
    }

    /** What a look has asked is not worth the whole wait. */
    private boolean haveEnded(Duration timeout) throws InterruptedException {
        Duration first = timeout.compareTo(LONGEST_LOOK) < 0 ? timeout : LONGEST_LOOK;
        if (awaitEnd(first)) {
            return true;
        }
        loops.forEach(RoundLoop::interruptLooks);
        return awaitEnd(timeout.minus(first));
    }

    private void interruptRuns(String why) {
        List<String> running = running();
        if (!running.isEmpty()) {
            log.warn("rounds {} {} and are interrupted", running, why);
        }
        interrupting.set(true);
        loops.forEach(RoundLoop::interrupt);
    }

    private boolean awaitEnd(Duration timeout) throws InterruptedException {
        return workers.awaitTermination(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
    }

    private List<String> running() {
        return loops.stream().filter(RoundLoop::isRunning).map(RoundLoop::name).toList();
    }

    /** Those that look, too. */
    private Stream<RoundLoop> underWay() {
        return loops.stream().filter(RoundLoop::inPass);
    }

    /** As {@link #stop(Duration)} with 20 seconds. */
    @Override
    public void close() {
        stop(CLOSE_TIMEOUT);
    }

    private void schedule(RoundLoop loop, Duration pause) {
        schedule(loop, pause, OptionalLong.empty());
    }

    private void schedule(RoundLoop loop, Duration pause, OptionalLong withoutWorkerSinceNanos) {
        if (stopping.get() || loop.isOver()) {
            return;
        }
        try {
            var unused = timer.after(pause, () -> begin(loop, withoutWorkerSinceNanos));
        } catch (RejectedExecutionException e) {
            log.debug("round {} does not go on: it was stopped", loop.name());
        }
    }

    /** Hands the pass to a worker; without one it is tried again, for a loop must not end unseen. */
    private void begin(RoundLoop loop, OptionalLong withoutWorkerSinceNanos) {
        if (stopping.get()) {
            return;
        }
        long sinceNanos = withoutWorkerSinceNanos.orElseGet(System::nanoTime);
        boolean waits = loop.mayWaitForWorker() || withoutWorkerSinceNanos.isPresent();
        try {
            loop.waitsForWorker();
            workers.execute(() -> pass(loop, waits ? Duration.ofNanos(System.nanoTime() - sinceNanos) : Duration.ZERO));
        } catch (Throwable thrown) {
            schedule(loop, Pauses.AFTER_AN_ERROR, OptionalLong.of(sinceNanos));
            if (!stopping.get()) {
                SafeLog.error(log, "a pass of round " + loop.name() + " has no worker; it is tried again", thrown);
            }
        }
    }

    private void pass(RoundLoop loop, Duration waited) {
        Duration pause = Pauses.AFTER_AN_ERROR;
        try {
            Thread.interrupted(); // of work that has interrupted its own thread
            pause = loop.pass(waited).pause();
        } finally {
            schedule(loop, pause);
            endAfterLast();
        }
    }

    /** Once nothing runs any more after a stop, the timer ends, which bounds the runs until then. */
    private void endAfterLast() {
        if (stopping.get() && underWay().findAny().isEmpty()) {
            timer.end();
        }
    }
}
