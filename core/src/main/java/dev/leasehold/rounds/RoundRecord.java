package dev.leasehold.rounds;

import dev.leasehold.Slot;
import java.time.Duration;
import java.util.Optional;

/** Keeps count of what one round did on this instance. Thread-safe. */
final class RoundRecord {

    private RoundStatus status;

    RoundRecord(String round, String leaseName) {
        this.status =
                new RoundStatus(round, leaseName, false, Optional.empty(), Optional.empty(), Optional.empty(), 0, 0, 0);
    }

    synchronized RoundStatus status() {
        return status;
    }

    /** Slots between this run and the last one, if that was this instance's own, were skipped because it took too long. */
    synchronized void began(Slot slot, Duration period) {
        long skipped = 0;
        if (status.lastSlot().isPresent() && status.lastSlot().equals(slot.previous())) {
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
    }

    synchronized void ended(RoundOutcome outcome, Duration took) {
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
