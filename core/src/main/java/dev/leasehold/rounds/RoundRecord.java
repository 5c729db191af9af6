package dev.leasehold.rounds;

import dev.leasehold.Slot;
import java.time.Duration;
import java.util.Optional;

/** Keeps count of what one round did on this instance. Thread-safe. */
final class RoundRecord {

    private RoundStatus status;
    private boolean lastWasOverlong;

    RoundRecord(String round, String leaseName) {
        this.status =
                new RoundStatus(round, leaseName, false, Optional.empty(), Optional.empty(), Optional.empty(), 0, 0, 0);
    }

    synchronized RoundStatus status() {
        return status;
    }

    /** How many slots were skipped: those between this run and the last, if that was this instance's own and overlong. */
    synchronized long began(Slot slot, Duration period) {
        long skipped = 0;
        if (lastWasOverlong
                && status.lastSlot().isPresent()
                && status.lastSlot().equals(slot.previous())) {
            Duration since = Duration.between(status.lastSlot().get(), slot.at());
            skipped = Math.max(0, since.dividedBy(period) - 1);
        }
        status = new RoundStatus(
                status.round(),
                status.leaseName(),
                true,
                Optional.of(slot.at()),
                status.lastOutcome(),
                status.lastDuration(),
                status.runs(),
                status.failures(),
                status.skippedSlots() + skipped);
        return skipped;
    }

    synchronized void ended(RoundOutcome outcome, Duration took, boolean overlong) {
        lastWasOverlong = overlong;
        status = new RoundStatus(
                status.round(),
                status.leaseName(),
                false,
                status.lastSlot(),
                Optional.of(outcome),
                Optional.of(took),
                status.runs() + 1,
                status.failures() + (outcome == RoundOutcome.FAILED ? 1 : 0),
                status.skippedSlots());
    }
}
