package dev.leasehold.rounds;

import dev.leasehold.DeadHolder;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LeaseState;
import dev.leasehold.LossPolicy;
import dev.leasehold.ReleaseOutcome;
import dev.leasehold.Slot;
import dev.leasehold.Stamp;
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

    /** How long a slot rests whose transaction with the finish was rolled back, if the round does not say. */
    private static final Duration AFTER_AN_UNDONE_FINISH = Duration.ofSeconds(1);

    private static final int LONGEST_ERROR = 2_000;

    private final Round round;
    private final String leaseName;
    private final String node;
    private final RoundRecord record;
    private final RoundWiring wiring;
    private final Set<Interruption> underWay = ConcurrentHashMap.newKeySet();

    RoundRunner(Round round, String node, RoundRecord record, RoundWiring wiring) {
        this.round = round;
        this.leaseName = round.leaseName(node);
        this.node = node;
        this.record = record;
        this.wiring = wiring;
    }

    /** Interrupts what runs now. */
    void interrupt() {
        underWay.forEach(run -> run.interrupt(Interruption.Reason.STOP));
    }

    /** Runs the work under its lease, on this thread, and releases that. */
    RoundRun run(Lease lease) {
        Slot slot = lease.slot().orElseThrow();
        var context = new RoundContext(round.name(), lease, slot.at(), lease.deaths() > 0, slot.stamp() == Stamp.NEVER);
        Instant started = Instant.now();
        long startNanos = System.nanoTime();
        record.began(slot.at(), started);
        Ended ended = new Ended(RoundOutcome.FAILED, Optional.empty());
        try {
            warnOfClock(slot);
            slot.died().ifPresent(dead -> died(dead, started));
            wiring.history().began(context, node);
            if (lease.deaths() >= round.deathLimit() && !context.extra()) {
                ended = new Ended(RoundOutcome.GIVEN_UP, Optional.of(lease.deaths() + " holders in a row have died"));
            } else {
                wiring.listeners().tell(round.name(), listener -> listener.started(context));
                ended = work(context);
            }
        } finally {
            ended = released(lease, ended);
        }
        RoundRun run = new RoundRun(
                round.name(),
                leaseName,
                Optional.of(node),
                lease.holder(),
                lease.fence(),
                Optional.of(slot.at()),
                context.extra(),
                started,
                started.plusNanos(System.nanoTime() - startNanos),
                slot.late(),
                ended.outcome(),
                isCounted(ended, slot),
                ended.error().map(RoundRunner::cut));
        record.ended(run);
        say(run);
        wiring.history().ended(run);
        wiring.listeners().tell(round.name(), listener -> listener.ended(run));
        return run;
    }

    /** How the work ended; after the release, whether a slot that counts at its end is counted. */
    private record Ended(RoundOutcome outcome, Optional<String> error, boolean counts) {

        Ended(RoundOutcome outcome, Optional<String> error) {
            this(outcome, error, false);
        }
    }

    private Ended work(RoundContext context) {
        var interruption = new Interruption();
        underWay.add(interruption);
        Runnable cancelTimeout = round.runTimeout()
                .map(timeout -> wiring.timer().after(timeout, () -> timedOut(context, timeout, interruption)))
                .orElse(() -> {});
        Throwable thrown = null;
        try {
            if (wiring.isInterrupting().getAsBoolean()) {
                interruption.interrupt(Interruption.Reason.STOP); // it may have missed this one
            }
            call(context);
        } catch (Throwable failure) {
            thrown = failure;
        }
        cancelTimeout.run();
        underWay.remove(interruption);
        Optional<Interruption.Reason> interrupted = interruption.end();
        return thrown == null ? returned(context.lease()) : threw(context, thrown, interrupted);
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
            log.error(
                    "round {} returned without a finish in its transaction, which its promise {} needs",
                    round.name(),
                    round.promise());
            return new Ended(RoundOutcome.FAILED, Optional.of("returned without a finish"));
        }
        return new Ended(RoundOutcome.DONE, Optional.empty());
    }

    private Ended threw(RoundContext context, Throwable thrown, Optional<Interruption.Reason> interrupted) {
        RoundOutcome outcome = RoundOutcome.FAILED;
        if (interrupted.isPresent()) {
            outcome = interrupted.get() == Interruption.Reason.STOP ? RoundOutcome.STOPPED : RoundOutcome.TIMED_OUT;
        } else if (thrown instanceof LeaseLostException && !context.isHeld()) {
            outcome = RoundOutcome.LOST; // it gave up by itself; if nobody has taken the lease over, the slot stays due
        }
        logFailure(context.slot(), outcome, thrown);
        return new Ended(outcome, Optional.of(text(thrown)));
    }

    private void timedOut(RoundContext context, Duration timeout, Interruption interruption) {
        log.warn(
                "round {} of slot {} runs for longer than {} and is interrupted",
                round.name(),
                context.slot(),
                timeout);
        interruption.interrupt(Interruption.Reason.TIMEOUT);
    }

    /** Whatever the release throws: the run has ended. */
    private Ended released(Lease lease, Ended ended) {
        try {
            return release(lease, ended);
        } catch (Throwable thrown) {
            log.error("the release of round {} threw: its lease runs out at worst", leaseName, thrown);
            return new Ended(ended.outcome(), Optional.of(ended.error().orElse(text(thrown))), false);
        }
    }

    /** The lease is released by how the work ended; a lease that was lost tells so now at the latest. */
    private Ended release(Lease lease, Ended ended) {
        boolean wasFinished = lease.state() == LeaseState.RELEASED;
        boolean rests = wasFinished || isTriedAgain(lease, ended.outcome());
        ReleaseOutcome released;
        if (!isStamped(ended.outcome())) {
            released = lease.release();
        } else {
            released = rests ? lease.releaseToRest(rest()) : lease.releaseDone();
        }
        if (released == ReleaseOutcome.LOST) {
            return new Ended(RoundOutcome.LOST, ended.error(), false);
        }
        if (!wasFinished) {
            boolean counts = released == ReleaseOutcome.RELEASED && isStamped(ended.outcome()) && !rests;
            return new Ended(ended.outcome(), ended.error(), counts);
        }
        if (lease.isFinished() || released == ReleaseOutcome.PENDING) {
            return new Ended(ended.outcome(), ended.error(), lease.isFinished());
        }
        // Nothing was stamped; due again after a rest, so that it does not fail over and over without a pause.
        return new Ended(
                ended.outcome() == RoundOutcome.DONE ? RoundOutcome.FAILED : ended.outcome(),
                Optional.of(ended.error().orElse("the transaction with its finish was not committed")),
                false);
    }

    private static boolean isStamped(RoundOutcome outcome) {
        return switch (outcome) {
            case STOPPED, LOST, DIED -> false;
            case DONE, FAILED, TIMED_OUT, GIVEN_UP -> true;
        };
    }

    private boolean isTriedAgain(Lease lease, RoundOutcome outcome) {
        boolean failed = outcome == RoundOutcome.FAILED || outcome == RoundOutcome.TIMED_OUT;
        return failed && round.retryAfter().isPresent() && stamp(lease) != Stamp.NEVER;
    }

    /** How long a slot rests that is tried again. */
    Duration rest() {
        return round.retryAfter().orElse(AFTER_AN_UNDONE_FINISH);
    }

    private static Stamp stamp(Lease lease) {
        return lease.slot().orElseThrow().stamp();
    }

    private static boolean isCounted(Ended ended, Slot slot) {
        return switch (slot.stamp()) {
            case NEVER -> false;
            case AT_ACQUIRE -> true;
            case AT_END -> ended.counts();
        };
    }

    /** Its row of the history, and its listeners, are told by who took its lease over. */
    private void died(DeadHolder dead, Instant found) {
        log.warn(
                "round {}: the holder before, {} (fence {}, since {}), died without a release",
                leaseName,
                dead.holder(),
                dead.fence(),
                dead.takenAt());
        RoundRun run = new RoundRun(
                round.name(),
                leaseName,
                Optional.empty(),
                dead.holder(),
                dead.fence(),
                Optional.empty(),
                false,
                dead.takenAt(),
                found,
                Duration.ZERO,
                RoundOutcome.DIED,
                false,
                Optional.empty());
        wiring.history().ended(run);
        wiring.listeners().tell(round.name(), listener -> listener.died(run));
    }

    private void warnOfClock(Slot slot) {
        if (slot.previous().filter(previous -> previous.isAfter(slot.at())).isPresent()) {
            log.warn(
                    "round {} runs for slot {}, though slot {} was counted: the database's clock was set back",
                    leaseName,
                    slot.at(),
                    slot.previous().get());
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

    /** A throwable may throw when it is asked for its message. */
    private void logFailure(Instant slot, RoundOutcome outcome, Throwable thrown) {
        try {
            log.error("round {} of slot {} {}: its work threw", leaseName, slot, outcome, thrown);
        } catch (Throwable unspeakable) {
            log.error(
                    "round {} of slot {} {}: its work threw {}",
                    leaseName,
                    slot,
                    outcome,
                    thrown.getClass().getName());
        }
    }

    private static String text(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (Throwable unspeakable) {
            return thrown.getClass().getName();
        }
    }

    private static String cut(String error) {
        return error.codePointCount(0, error.length()) <= LONGEST_ERROR
                ? error
                : error.substring(0, error.offsetByCodePoints(0, LONGEST_ERROR));
    }
}
