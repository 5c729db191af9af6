package dev.leasehold.rounds;

import dev.leasehold.Acquisition;
import dev.leasehold.Grid;
import dev.leasehold.Lease;
import dev.leasehold.LeaseException;
import dev.leasehold.Slot;
import dev.leasehold.SlotRequest;
import dev.leasehold.Stamp;
import dev.leasehold.internal.SafeLog;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One round on this instance. A pass looks whether a run is due, makes it, and says when to look again. Thread-safe. */
final class RoundLoop {

    private static final Logger log = LoggerFactory.getLogger(Rounds.class);

    private final Round round;
    private final String leaseName;
    private final RoundWiring wiring;
    private final Pauses pauses;
    private final RoundRecord record;
    private final RoundRunner runner;
    private final SlotRequest request;
    private final SkipLog skips;
    private final AtomicInteger inPass = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final Looks looks;
    private int errorsInARow;
    private boolean isKnownToHaveNoMore;
    private Optional<Busy> busy = Optional.empty();
    private volatile boolean isOver;

    /**
     * What came of a pass.
     *
     * @param pause until the next one
     * @param run what was run
     */
    record Pass(Duration pause, Optional<RoundRun> run) {

        Pass(Duration pause) {
            this(pause, Optional.empty());
        }
    }

    /**
     * With what this instance was busy after it had released the lease of a run: its history and listeners.
     *
     * @param ran the slot of that run
     * @param until the end, by the database's clock
     * @param skipped how many slots after it were told as skipped already
     */
    private record Busy(Instant ran, Instant until, long skipped) {}

    RoundLoop(Round round, RoundWiring wiring) {
        this.round = round;
        this.leaseName = round.leaseName(wiring.node());
        this.wiring = wiring;
        this.pauses = new Pauses(round.schedule());
        this.record = new RoundRecord(round, leaseName);
        this.runner = new RoundRunner(round, wiring.node(), record, wiring);
        this.skips = new SkipLog(leaseName);
        this.looks = new Looks(wiring.leases());
        this.request = new SlotRequest(leaseName, round.schedule(), stamp(round.promise()));
    }

    private static Stamp stamp(Promise promise) {
        return switch (promise) {
            case AT_LEAST_ONCE, EXACTLY_ONCE -> Stamp.AT_END;
            case AT_MOST_ONCE -> Stamp.AT_ACQUIRE;
        };
    }

    /** @throws IllegalArgumentException if there is none of that name */
    static RoundLoop named(List<RoundLoop> loops, String name) {
        return loops.stream()
                .filter(loop -> loop.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no round " + name + " here, but "
                        + loops.stream().map(RoundLoop::name).toList()));
    }

    String name() {
        return round.name();
    }

    String leaseName() {
        return leaseName;
    }

    RoundStatus status() {
        return record.status(wiring.isStopping().getAsBoolean());
    }

    boolean inPass() {
        return inPass.get() > 0;
    }

    /** Whether a run is under way, and not only a look. */
    boolean isRunning() {
        return running.get() > 0;
    }

    /** Whether there is nothing more to look for: the leases are closed. */
    boolean isOver() {
        return isOver;
    }

    /** What has been asked may be answered too late for a stop. */
    void interruptLooks() {
        looks.interrupt();
    }

    /** Whether there are few; else one that is handed over is on its way. */
    boolean mayWaitForWorker() {
        return wiring.hasFewWorkers();
    }

    void waitsForWorker() {
        record.waitsForWorker();
    }

    void interrupt() {
        runner.interrupt();
    }

    /**
     * Looks, and runs if a slot is due.
     *
     * @param waited for how long a worker was waited for; zero if one was there
     */
    Pass pass(Duration waited) {
        inPass.incrementAndGet();
        try {
            record.passBegins();
            Pass pass = wiring.isStopping().getAsBoolean() ? new Pass(Duration.ZERO) : lookAndRun(waited);
            errorsInARow = 0;
            record.passWentWell();
            return pass;
        } catch (Throwable thrown) {
            return failed(thrown);
        } finally {
            inPass.decrementAndGet();
        }
    }

    private Pass lookAndRun(Duration waited) {
        Acquisition acquisition = looks.look(request);
        wiring.lookLog().wentWell(leaseName);
        record.looked(
                acquisition instanceof Acquisition.Paused paused ? Optional.of(paused.reason()) : Optional.empty());
        if (acquisition instanceof Acquisition.Acquired acquired) {
            return runUnlessStopping(acquired.held(), lease -> run(lease, waited))
                    .orElseGet(() -> new Pass(Duration.ZERO));
        }
        if (acquisition instanceof Acquisition.NotDue notDue) {
            return sleep(notDue.nextSlotIn());
        }
        if (acquisition instanceof Acquisition.Paused paused) {
            return sleep(paused.nextSlotIn());
        }
        var busy = (Acquisition.Busy) acquisition;
        busy.nextSlotIn()
                .ifPresent(next -> record.expects(shorter(next, restOf(busy).orElse(next))));
        return new Pass(pauses.after(busy));
    }

    /** How long a slot rests yet that nobody holds. */
    private static Optional<Duration> restOf(Acquisition.Busy busy) {
        return busy.holder().isEmpty() ? busy.timeLeft() : Optional.empty();
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Where the rounds stop it is not begun, so the slot stays due for the others. */
    private <T> Optional<T> runUnlessStopping(Lease lease, Function<Lease, T> run) {
        running.incrementAndGet();
        try {
            if (wiring.isStopping().getAsBoolean()) {
                runner.giveBack(lease);
                return Optional.empty();
            }
            return Optional.of(run.apply(lease));
        } finally {
            running.decrementAndGet();
        }
    }

    private Pass sleep(Duration nextSlotIn) {
        expects(nextSlotIn);
        return new Pass(pauses.until(nextSlotIn));
    }

    /** Told once, for nothing else would tell that an expression means no instant at all. */
    private void expects(Duration nextIn) {
        record.expects(nextIn);
        boolean hasNoMore = !(round.schedule() instanceof Grid) && nextIn.compareTo(Slot.NO_MORE) >= 0;
        if (hasNoMore && !isKnownToHaveNoMore) {
            log.warn(
                    "round {} never falls due from now on: its schedule, {}, has no slot any more",
                    leaseName,
                    round.schedule());
        }
        isKnownToHaveNoMore = hasNoMore;
    }

    /** That the database is away is told in a line, and what nobody expects with its stack. */
    private Pass failed(Throwable thrown) {
        record.passFailed(thrown);
        Duration pause = pauses.afterErrors(++errorsInARow);
        String next = "the next pass follows in " + pause.toMillis() + " ms";
        if (wiring.isStopping().getAsBoolean()) {
            SafeLog.debug(log, "a pass of round " + leaseName + " threw while it stops", thrown);
        } else if (wiring.leases().isClosed()) {
            isOver = true;
            wiring.lookLog().leasesAreClosed();
        } else if (thrown instanceof LeaseException unknown) {
            wiring.lookLog().failed(leaseName, next, unknown);
        } else {
            SafeLog.error(log, "a pass of round " + leaseName + " threw, " + next, thrown);
        }
        return new Pass(pause);
    }

    private Pass run(Lease lease, Duration waited) {
        Slot slot = lease.slot().orElseThrow();
        long acquiredNanos = System.nanoTime();
        RoundRun run = runner.run(lease);
        Duration took = Duration.ofNanos(System.nanoTime() - acquiredNanos);
        Duration untilNext = restOf(slot.nextIn(), took);
        // What was not counted may still be due: another look comes sooner.
        Duration untilLook = run.counted() ? untilNext : runner.rest(untilNext);
        if (run.isFailure() && untilLook.compareTo(untilNext) < 0) {
            expects(untilLook);
        } else {
            expects(slot.nextIn().equals(Slot.NO_MORE) ? Slot.NO_MORE : untilNext);
        }
        // Only now, for a schedule may throw.
        countMissedFor(slot, waited);
        countBusy(slot);
        if (run.outcome() != RoundOutcome.LOST) {
            long skipped = countOverlong(slot, run.duration());
            busy = Optional.of(new Busy(slot.at(), slot.at().plus(slot.late()).plus(took), skipped));
        }
        return new Pass(pauses.until(untilLook), Optional.of(run));
    }

    private static Duration restOf(Duration nextIn, Duration took) {
        return took.compareTo(nextIn) < 0 ? nextIn.minus(took) : Duration.ZERO;
    }

    /** Slots came and went while this round waited for a worker, and nobody else ran them. */
    private void countMissedFor(Slot slot, Duration waited) {
        if (waited.isZero()) {
            return;
        }
        Instant since = slot.at().minus(waited);
        Instant previous =
                slot.previous().filter(counted -> counted.isAfter(since)).orElse(since);
        skipped(Slots.between(round.schedule(), previous, slot.at()), SkipReason.NO_WORKER);
    }

    /** Slots that came while it ran: the last of them may still be run, late; by others, if this instance stops. */
    private long countOverlong(Slot slot, Duration took) {
        Instant end = slot.at().plus(slot.late()).plus(took);
        long passed = Slots.between(round.schedule(), slot.at(), end);
        boolean isLastRunLate = passed > 0 && (!wiring.isStopping().getAsBoolean() || isLookedAtAgain(end));
        long skipped = isLastRunLate ? passed - 1 : passed;
        skipped(skipped, SkipReason.OVERLONG);
        return skipped;
    }

    /** Whether the others, who have found the slot due and its lease held, look once more before the next one comes. */
    private boolean isLookedAtAgain(Instant end) {
        return round.schedule()
                .next(end)
                .map(next -> pauses.isLookedAtAgain(Duration.between(end, next)))
                .orElse(true);
    }

    /** Slots that came while the listeners of the run before were told, and that nobody else ran either. */
    private void countBusy(Slot slot) {
        if (busy.isEmpty()) {
            return;
        }
        Busy before = busy.get();
        busy = Optional.empty();
        Optional<Instant> others = slot.previous().filter(counted -> counted.isAfter(before.ran()));
        Instant end = slot.at().isBefore(before.until()) ? slot.at() : before.until();
        long passed = Slots.between(round.schedule(), others.orElse(before.ran()), end);
        skipped(others.isPresent() ? passed : passed - before.skipped(), SkipReason.OVERLONG);
    }

    private void skipped(long slots, SkipReason reason) {
        if (slots > 0) {
            record.skipped(slots);
            skips.tell(slots, reason);
            wiring.listeners().tell(round.name(), listener -> listener.skipped(round.name(), slots, reason));
        }
    }

    /**
     * One extra run, whether a slot is due or rests or not, that counts for nothing; empty if the lease is held by another, the
     * round is paused, or its work was not begun.
     *
     * @throws dev.leasehold.LeaseException if it could not be found out
     */
    Optional<RoundRun> runNow() {
        inPass.incrementAndGet();
        try {
            var extra = new SlotRequest(leaseName, round.schedule(), Stamp.NEVER);
            Acquisition acquisition = looks.look(extra);
            if (acquisition.lease().isEmpty()) {
                String why = acquisition instanceof Acquisition.Paused ? "it is paused" : "another has its lease";
                log.info("an extra run of round {} is not begun: {}", leaseName, why);
            }
            return acquisition
                    .lease()
                    .flatMap(held -> runUnlessStopping(held, runner::run))
                    .filter(RoundRun::begun);
        } finally {
            inPass.decrementAndGet();
        }
    }
}
