package dev.leasehold.cli;

import dev.leasehold.Acquisition;
import dev.leasehold.Slot;
import java.time.Duration;

/** Why a command is not run: the database's answer, for people. */
final class ExecRefusal {

    private ExecRefusal() {}

    static ExecReport of(String name, Acquisition answer) {
        if (answer instanceof Acquisition.NotDue notDue) {
            return ExecReport.refused(
                    ExecOutcome.NOT_DUE,
                    "the slot of " + name + " has had its run" + next(notDue.nextSlotIn()),
                    answer);
        }
        if (answer instanceof Acquisition.Paused paused) {
            return ExecReport.refused(ExecOutcome.PAUSED, name + " is paused: " + paused.reason(), answer);
        }
        var busy = (Acquisition.Busy) answer;
        return ExecReport.refused(
                ExecOutcome.BUSY,
                "lease " + name + " is held by " + busy.holder().orElse("another")
                        + busy.timeLeft()
                                .map(left -> ", for " + DurationText.of(left) + " unless it renews it")
                                .orElse(""),
                answer);
    }

    private static String next(Duration nextSlotIn) {
        return nextSlotIn.equals(Slot.NO_MORE) ? "" : "; the next one comes in " + DurationText.of(nextSlotIn);
    }
}
