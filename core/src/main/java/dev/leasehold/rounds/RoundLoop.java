package dev.leasehold.rounds;

import dev.leasehold.Acquisition;
import dev.leasehold.Lease;
import dev.leasehold.LeaseException;
import dev.leasehold.Leases;
import dev.leasehold.ReleaseOutcome;
import dev.leasehold.Slot;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One round on this instance. A pass looks whether a run is due, makes it, and says when to look again. */
final class RoundLoop {

    static final Duration PAUSE_AFTER_AN_ERROR = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger(Rounds.class);
    private static final Duration LONGEST_PAUSE_AFTER_AN_ERROR = Duration.ofSeconds(30);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);
    private static final Duration LARGEST_JITTER = Duration.ofMillis(200);

    private final Leases leases;
    private final Round round;
    private final String leaseName;
    private final BooleanSupplier stopping;
    private final RoundRecord record;
    private int errorsInARow;
    private volatile boolean inPass;

    RoundLoop(Leases leases, Round round, String leaseName, BooleanSupplier stopping) {
        this.leases = leases;
        this.round = round;
        this.leaseName = leaseName;
        this.stopping = stopping;
        this.record = new RoundRecord(round.name(), leaseName);
    }

    String name() {
        return round.name();
    }

    RoundStatus status() {
        return record.status();
    }

    boolean inPass() {
        return inPass;
    }

    /** Returns the pause until the next pass: a minute at most, for the database's clock may be set, or a machine wake up. */
    Duration pass() {
        inPass = true;
        try {
            Duration pause = stopping.getAsBoolean() ? Duration.ZERO : lookAndRun();
            return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
        } finally {
            inPass = false;
        }
    }

    private Duration lookAndRun() {
        Acquisition acquisition;
        try {
            acquisition = leases.tryAcquireSlot(leaseName, round.grid());
            errorsInARow = 0;
        } catch (LeaseException e) {
            Duration pause = pauseAfterError();
            log.warn(
                    "round {} could not look whether it is due and looks again in {} ms: {}",
                    round.name(),
                    pause.toMillis(),
                    e.getMessage());
            return pause;
        }
        if (acquisition instanceof Acquisition.Acquired acquired) {
            return jittered(run(acquired.held()));
        }
        if (acquisition instanceof Acquisition.NotDue notDue) {
            return jittered(notDue.nextSlotIn());
        }
        return jittered(nextChance((Acquisition.Busy) acquisition));
    }

    /** The end of the holder's lease, or the next slot: whichever comes first. A race leaves both unknown. */
    private Duration nextChance(Acquisition.Busy busy) {
        Duration slot = busy.nextSlotIn().orElse(round.grid().period());
        Duration unknown = slot.compareTo(PAUSE_AFTER_AN_ERROR) < 0 ? slot : PAUSE_AFTER_AN_ERROR;
        Duration end = busy.timeLeft().orElse(unknown);
        return slot.compareTo(end) < 0 ? slot : end;
    }

    /** Returns the time until the next slot. */
    private Duration run(Lease lease) {
        Slot slot = lease.slot().orElseThrow();
        if (stopping.getAsBoolean()) {
            // Not begun, so the slot stays due for the others.
            lease.release();
            return Duration.ZERO;
        }
        long acquiredNanos = System.nanoTime();
        long skipped = record.began(slot, round.grid().period());
        if (skipped > 0) {
            log.warn("round {} skips {} slots that its last run took too long for", round.name(), skipped);
        }
        boolean failed = true;
        try {
            failed = work(lease, slot.at());
        } finally {
            RoundOutcome outcome = outcome(failed, lease.releaseDone());
            Thread.interrupted(); // What interrupted the work has no say over the next pass.
            Duration took = Duration.ofNanos(System.nanoTime() - acquiredNanos);
            record.ended(outcome, took, took.compareTo(slot.nextIn()) > 0);
            log.debug(
                    "round {} of slot {} (fence {}) {} in {} ms",
                    leaseName,
                    slot.at(),
                    lease.fence(),
                    outcome,
                    took.toMillis());
        }
        return slot.nextIn().minusNanos(System.nanoTime() - acquiredNanos);
    }

    private static RoundOutcome outcome(boolean failed, ReleaseOutcome released) {
        if (released == ReleaseOutcome.LOST) {
            return RoundOutcome.LOST;
        }
        return failed ? RoundOutcome.FAILED : RoundOutcome.DONE;
    }

    private boolean work(Lease lease, Instant slot) {
        try {
            round.work().run(new RoundContext(round.name(), lease, slot, lease.deaths() > 0));
            return false;
        } catch (Throwable thrown) {
            logFailure(slot, thrown);
            return true;
        }
    }

    /** A throwable may throw when it is asked for its message. */
    private void logFailure(Instant slot, Throwable thrown) {
        try {
            log.error("round {} of slot {} threw; its slot counts, and the next one runs", round.name(), slot, thrown);
        } catch (Throwable unspeakable) {
            log.error(
                    "round {} of slot {} threw {}",
                    round.name(),
                    slot,
                    thrown.getClass().getName());
        }
    }

    private Duration pauseAfterError() {
        int doublings = Math.min(errorsInARow++, 5);
        Duration pause = PAUSE_AFTER_AN_ERROR.multipliedBy(1L << doublings);
        pause = pause.compareTo(LONGEST_PAUSE_AFTER_AN_ERROR) < 0 ? pause : LONGEST_PAUSE_AFTER_AN_ERROR;
        Duration period = round.grid().period();
        return jittered(pause.compareTo(period) < 0 ? pause : period);
    }

    /** Adds a little, so that not all instances ask at the same moment. */
    private Duration jittered(Duration pause) {
        Duration base = pause.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : pause;
        Duration tenth = round.grid().period().dividedBy(10);
        Duration most = tenth.compareTo(LARGEST_JITTER) < 0 ? tenth : LARGEST_JITTER;
        return base.plusNanos(ThreadLocalRandom.current().nextLong(most.toNanos() + 1));
    }
}
