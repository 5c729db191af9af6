package dev.leasehold.rounds;

import dev.leasehold.Lease;
import dev.leasehold.LeaseState;
import dev.leasehold.ReleaseOutcome;
import dev.leasehold.Slot;
import dev.leasehold.Stamp;
import dev.leasehold.internal.SafeLog;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the end of a run does to its lease and its slot. Thread-safe. */
final class RoundRelease {

    private static final Logger log = LoggerFactory.getLogger(Rounds.class);

    private final Round round;
    private final String leaseName;

    RoundRelease(Round round, String leaseName) {
        this.round = round;
        this.leaseName = leaseName;
    }

    /**
     * Releases the lease as the end of its run wants it, and tells what came of the run then. Throws nothing.
     *
     * @param took since the acquisition
     */
    Ended after(Ended ended, Lease lease, Duration took) {
        try {
            return released(ended, lease, took);
        } catch (Throwable thrown) {
            SafeLog.error(log, "the release of round " + leaseName + " threw: its lease runs out at worst", thrown);
            return ended;
        }
    }

    private Ended released(Ended ended, Lease lease, Duration took) {
        if (!ended.isBegun()) {
            lease.abandon();
            return ended;
        }
        Slot slot = lease.slot().orElseThrow();
        // The work may have another thread that releases it at this moment: what is read second says who has ended it.
        boolean hasEnded = lease.state() == LeaseState.RELEASED;
        boolean wasReleased = lease.isReleased();
        boolean wasFinished = hasEnded && !wasReleased;
        boolean isTriedAgain = isTriedAgain(ended.outcome(), slot, wasFinished);
        ReleaseOutcome released = release(ended.outcome(), lease, isTriedAgain, took);
        if (released == ReleaseOutcome.LOST) {
            return ended.as(RoundOutcome.LOST, "the lease was lost");
        }
        if (lease.isFinished()) {
            return ended;
        }
        if (wasReleased) {
            return failed(ended, slot, "the work has released the round's lease itself; the round does that");
        }
        return wasFinished && released != ReleaseOutcome.PENDING
                ? failed(ended, slot, "the transaction with its finish was not committed")
                : ended;
    }

    /** What the work threw was told already. */
    private Ended failed(Ended ended, Slot slot, String why) {
        if (ended.outcome() != RoundOutcome.DONE) {
            return ended;
        }
        SafeLog.tell(() -> log.error("round {} of slot {} {}: {}", leaseName, slot.at(), RoundOutcome.FAILED, why));
        return Ended.of(RoundOutcome.FAILED, why);
    }

    private ReleaseOutcome release(RoundOutcome outcome, Lease lease, boolean isTriedAgain, Duration took) {
        if (!isTriedAgain) {
            return stamps(outcome) ? lease.releaseDone() : lease.release();
        }
        Slot slot = lease.slot().orElseThrow();
        Duration rest = rest(slot.nextIn().minus(took));
        return rest.isZero() ? lease.release() : lease.releaseToRest(rest);
    }

    /** A slot that is to be done exactly once does not count without its commit, nor one whose finish was undone. */
    private boolean isTriedAgain(RoundOutcome outcome, Slot slot, boolean wasFinished) {
        if (slot.stamp() != Stamp.AT_END || !stamps(outcome) || outcome == RoundOutcome.GIVEN_UP) {
            return false;
        }
        if (wasFinished) {
            return true;
        }
        return outcome != RoundOutcome.DONE
                && (round.retryAfter().isPresent() || round.promise() == Promise.EXACTLY_ONCE);
    }

    private static boolean stamps(RoundOutcome outcome) {
        return switch (outcome) {
            case STOPPED, LOST, DIED -> false;
            case DONE, FAILED, TIMED_OUT, GIVEN_UP -> true;
        };
    }

    /**
     * How long a slot rests that is tried again.
     *
     * @param untilNext the time to the next slot, whose run takes the place of another try
     */
    Duration rest(Duration untilNext) {
        Duration rest = round.retryAfter().orElse(Round.tenth(round.schedule()));
        Duration shorter = rest.compareTo(untilNext) < 0 ? rest : untilNext;
        return shorter.isNegative() ? Duration.ZERO : shorter;
    }
}
