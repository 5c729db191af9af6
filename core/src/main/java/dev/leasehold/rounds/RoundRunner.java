package dev.leasehold.rounds;

import dev.leasehold.DeadHolder;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LeaseState;
import dev.leasehold.LossPolicy;
import dev.leasehold.Slot;
import dev.leasehold.Stamp;
import dev.leasehold.internal.SafeLog;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the runs of one round: from the acquired lease to its release, whatever the work does. Thread-safe. */
final class RoundRunner {

    private static final Logger log = LoggerFactory.getLogger(Rounds.class);

    private final Round round;
    private final String leaseName;
    private final String node;
    private final RoundRecord record;
    private final RoundWiring wiring;
    private final RoundRelease release;
    private final Set<Interruption> underWay = ConcurrentHashMap.newKeySet();

    RoundRunner(Round round, String node, RoundRecord record, RoundWiring wiring) {
        this.round = round;
        this.leaseName = round.leaseName(node);
        this.node = node;
        this.record = record;
        this.wiring = wiring;
        this.release = new RoundRelease(round, leaseName);
    }

    /** Interrupts what runs now. */
    void interrupt() {
        underWay.forEach(run -> run.interrupt(Interruption.Reason.STOP));
    }

    /** How long a slot rests that is tried again. */
    Duration rest(Duration untilNext) {
        return release.rest(untilNext);
    }

    /** Runs the work under its lease, on this thread, and releases that. Throws nothing that the work throws. */
    RoundRun run(Lease lease) {
        Slot slot = lease.slot().orElseThrow();
        var context = new RoundContext(round.name(), lease, slot.at(), lease.deaths() > 0, slot.stamp() == Stamp.NEVER);
        Instant started = Instant.now();
        long startNanos = System.nanoTime();
        record.began(slot.at(), started);
        Ended ended = Ended.notBegun(RoundOutcome.STOPPED, "it could not be begun");
        try {
            ended = workUnlessGivenUp(context, slot, started);
        } finally {
            ended = release.after(ended, lease, Duration.ofNanos(System.nanoTime() - startNanos));
            record.ends();
        }
        var run = new RoundRun(
                round.name(),
                leaseName,
                Optional.of(node),
                lease.holder(),
                lease.fence(),
                Optional.of(slot.at()),
                context.extra(),
                ended.isBegun() && ended.outcome() != RoundOutcome.GIVEN_UP,
                started,
                started.plusNanos(System.nanoTime() - startNanos),
                slot.late(),
                ended.outcome(),
                lease.isCounted(),
                ended.error());
        record.ended(run);
        SafeLog.tell(() -> say(run));
        wiring.history().ended(run);
        wiring.listeners().tell(round.name(), listener -> listener.ended(run));
        return run;
    }

    private Ended workUnlessGivenUp(RoundContext context, Slot slot, Instant started) {
        warnOfClock(slot);
        died(slot, started);
        wiring.history().began(context, node);
        int deaths = context.lease().deaths();
        if (deaths >= round.deathLimit() && !context.extra()) {
            return Ended.of(RoundOutcome.GIVEN_UP, deaths + " holders in a row have died");
        }
        if (wiring.isInterrupting().getAsBoolean()) {
            return Ended.notBegun(RoundOutcome.STOPPED, "the rounds were stopped before it was begun");
        }
        if (!context.isHeld()) {
            SafeLog.tell(() ->
                    log.warn("round {} of slot {} is not begun: its lease is not held any more", leaseName, slot.at()));
            return Ended.notBegun(RoundOutcome.LOST, "its lease was not held any more before it was begun");
        }
        wiring.listeners().tell(round.name(), listener -> listener.started(context));
        return work(context);
    }

    private Ended work(RoundContext context) {
        var interruption = new Interruption();
        Runnable cancelTimeout = round.runTimeout()
                .map(timeout -> wiring.timer().after(timeout, () -> timedOut(context, timeout, interruption)))
                .orElse(() -> {});
        Throwable thrown = null;
        underWay.add(interruption);
        try {
            if (wiring.isInterrupting().getAsBoolean()) {
                interruption.interrupt(Interruption.Reason.STOP); // it may have missed this one
            }
            call(context);
        } catch (Throwable failure) {
            thrown = failure;
        } finally {
            underWay.remove(interruption);
        }
        cancelTimeout.run();
        Optional<Interruption.Reason> interrupted = interruption.end();
        try {
            return thrown == null ? returned(context.lease()) : threw(context, thrown, interrupted);
        } catch (Throwable unspeakable) {
            return Ended.of(RoundOutcome.FAILED, RoundFailure.text(unspeakable)); // it was begun, whatever came after
        }
    }

    private void call(RoundContext context) throws Exception {
        if (round.lossPolicy() == LossPolicy.INTERRUPT) {
            context.lease().runOrInterrupt(lease -> round.work().run(context));
        } else {
            round.work().run(context);
        }
    }

    private Ended returned(Lease lease) {
        if (round.promise() == Promise.EXACTLY_ONCE && lease.state() != LeaseState.RELEASED) {
            SafeLog.tell(() -> log.error(
                    "round {} of slot {} {}: it returned without a finish in its transaction, which its promise {} needs",
                    leaseName,
                    lease.slot().orElseThrow().at(),
                    RoundOutcome.FAILED,
                    round.promise()));
            return Ended.of(RoundOutcome.FAILED, "returned without a finish");
        }
        return Ended.of(RoundOutcome.DONE);
    }

    private Ended threw(RoundContext context, Throwable thrown, Optional<Interruption.Reason> interrupted) {
        RoundOutcome outcome = RoundOutcome.FAILED;
        if (interrupted.isPresent()) {
            outcome = interrupted.get() == Interruption.Reason.STOP ? RoundOutcome.STOPPED : RoundOutcome.TIMED_OUT;
        } else if (thrown instanceof LeaseLostException lost
                && lost.holder().equals(context.lease().holder())) {
            outcome = RoundOutcome.LOST; // it gave up by itself, also if the lease was confirmed again since
        }
        new RoundFailure(leaseName, context.slot(), outcome).log(thrown);
        return Ended.of(outcome, RoundFailure.text(thrown));
    }

    private void timedOut(RoundContext context, Duration timeout, Interruption interruption) {
        interruption.interrupt(Interruption.Reason.TIMEOUT);
        SafeLog.tell(() -> log.warn(
                "round {} of slot {} runs for longer than {} and is interrupted",
                round.name(),
                context.slot(),
                timeout));
    }

    /** Gives back what was acquired when nothing is begun any more; its slot stays due. */
    void giveBack(Lease lease) {
        try {
            died(lease.slot().orElseThrow(), Instant.now());
        } finally {
            lease.abandon();
        }
    }

    /** The row of a dead run in the history, and the listeners, are told by who took its lease over, begun or not. */
    private void died(Slot slot, Instant found) {
        slot.died().ifPresent(dead -> died(dead, found));
    }

    private void died(DeadHolder dead, Instant found) {
        SafeLog.tell(() -> log.debug(
                "round {}: the holder before, {} (fence {}, since {}), died without a release",
                leaseName,
                dead.holder(),
                dead.fence(),
                dead.takenAt()));
        RoundRun run = new RoundRun(
                round.name(),
                leaseName,
                Optional.empty(),
                dead.holder(),
                dead.fence(),
                Optional.empty(),
                false,
                true,
                dead.takenAt(),
                found,
                Duration.ZERO,
                RoundOutcome.DIED,
                round.promise() == Promise.AT_MOST_ONCE,
                Optional.empty());
        wiring.history().ended(run);
        wiring.listeners().tell(round.name(), listener -> listener.died(run));
    }

    private void warnOfClock(Slot slot) {
        if (slot.previous().filter(previous -> previous.isAfter(slot.at())).isPresent()) {
            SafeLog.tell(() -> log.warn(
                    "round {} runs for slot {}, though slot {} was counted: the database's clock was set back",
                    leaseName,
                    slot.at(),
                    slot.previous().orElseThrow()));
        }
    }

    private void say(RoundRun run) {
        if (run.outcome() == RoundOutcome.GIVEN_UP) {
            log.error(
                    "round {} of slot {} is not run, and counts as failed: {}",
                    leaseName,
                    run.slot().orElseThrow(),
                    run.error().orElse(""));
            return;
        }
        log.debug(
                "round {} of slot {} (fence {}) {}{} in {} ms",
                leaseName,
                run.slot().orElseThrow(),
                run.fence(),
                run.outcome(),
                run.counted() ? ", counted," : "",
                run.duration().toMillis());
    }
}
