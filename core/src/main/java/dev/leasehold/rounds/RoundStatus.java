package dev.leasehold.rounds;

import dev.leasehold.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What this instance knows of one of its rounds. Instants are by this machine's clock, but for slots.
 *
 * @param round the round's name
 * @param leaseName the name of its lease: for node scope {@code round@node}
 * @param schedule when it falls due
 * @param running whether it runs on this instance now
 * @param lastSlot the slot of the last run that began on this instance
 * @param lastStarted when that began
 * @param lastEnded when the last ended run of this instance ended
 * @param lastOutcome how that ended
 * @param lastDuration how long that took
 * @param lastSuccess when a run of this instance last ended {@link RoundOutcome#DONE}
 * @param runs how many runs ended on this instance, however they ended: attempts
 * @param counted how many of them counted their slots
 * @param failures how many of them failed, timed out, or were given up
 * @param skippedSlots how many slots passed without a run, because of overlong runs of this instance or for want of a worker
 * @param nextDue when this instance expects the next slot, or the next try of one that failed; empty while unknown, and once the
 *     schedule has no slot any more
 * @param pauseReason why an operator has paused it, as of the last look
 * @param lastPass when this instance last looked whether it is due
 * @param trouble what is wrong with it here: no pass for several periods, or minutes if those are longer; a run that does not
 *     end within several periods, or its time-out, or, without both, a day; looks that fail; three runs or more of this instance
 *     that failed, timed out, were lost or given up in a row, until one is done. Empty while it is well
 * @param alive whether its loop goes on as it should, whatever becomes of its runs: no trouble, or only that runs fail
 */
public record RoundStatus(
        String round,
        String leaseName,
        Schedule schedule,
        boolean running,
        Optional<Instant> lastSlot,
        Optional<Instant> lastStarted,
        Optional<Instant> lastEnded,
        Optional<RoundOutcome> lastOutcome,
        Optional<Duration> lastDuration,
        Optional<Instant> lastSuccess,
        long runs,
        long counted,
        long failures,
        long skippedSlots,
        Optional<Instant> nextDue,
        Optional<String> pauseReason,
        Optional<Instant> lastPass,
        Optional<String> trouble,
        boolean alive) {

    /** Whether nothing is wrong with it here. */
    public boolean isHealthy() {
        return trouble.isEmpty();
    }
}
