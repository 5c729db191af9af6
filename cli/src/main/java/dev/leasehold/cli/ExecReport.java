package dev.leasehold.cli;

import com.google.gson.JsonObject;
import dev.leasehold.Acquisition;
import dev.leasehold.Lease;
import dev.leasehold.ReleaseOutcome;
import dev.leasehold.Slot;
import java.time.Duration;
import java.util.Optional;

/**
 * What became of one {@code exec}.
 *
 * @param line the same for people; empty if there is nothing to say
 * @param lease that was held
 * @param isCounted whether the command's run was to count for its slot
 * @param refusal why no lease was held, if the database said so
 */
record ExecReport(
        ExecOutcome outcome,
        int exitCode,
        String line,
        Optional<Lease> lease,
        boolean isCounted,
        Optional<Acquisition> refusal) {

    static ExecReport notRun(ExecOutcome outcome, int exitCode, String line) {
        return new ExecReport(outcome, exitCode, line, Optional.empty(), false, Optional.empty());
    }

    static ExecReport signaled(SignalRelay.Caught signal) {
        return notRun(
                ExecOutcome.SIGNALED, signal.exitCode(), "SIG" + signal.name() + " came before the command began");
    }

    static ExecReport refused(ExecOutcome outcome, String line, Acquisition refusal) {
        return new ExecReport(outcome, ExecCode.NOT_RUN, line, Optional.empty(), false, Optional.of(refusal));
    }

    static ExecReport under(Lease lease, ExecOutcome outcome, int exitCode, String line, boolean isCounted) {
        return new ExecReport(outcome, exitCode, line, Optional.of(lease), isCounted, Optional.empty());
    }

    /** Whether the command was not run because of the lease: the usual case on all hosts but one. */
    boolean isRefusal() {
        return refusal.isPresent();
    }

    ExecReport withExitCode(int other) {
        return new ExecReport(outcome, other, line, lease, isCounted, refusal);
    }

    /**
     * For programs.
     *
     * @param name of the lease
     */
    JsonObject json(String name) {
        Optional<Acquisition.Busy> busy =
                refusal.filter(Acquisition.Busy.class::isInstance).map(Acquisition.Busy.class::cast);
        return Json.object()
                .with("lease", name)
                .with("outcome", outcome.code())
                .with("exit_code", exitCode)
                .with("line", Optional.of(line).filter(text -> !text.isEmpty()))
                .with("fence", lease.map(Lease::fence))
                .with("holder", lease.map(Lease::holder).or(() -> busy.flatMap(Acquisition.Busy::holder)))
                .with("slot", lease.flatMap(Lease::slot).map(Slot::at))
                .with("counted", isCounted && isReleased())
                .with("released", isReleased())
                .with(
                        "lost",
                        lease.map(held -> held.release() == ReleaseOutcome.LOST).orElse(false))
                .withSeconds("time_left_seconds", busy.flatMap(Acquisition.Busy::timeLeft))
                .withSeconds("next_slot_in_seconds", refusal.flatMap(ExecReport::nextSlotIn))
                .build();
    }

    /** Whether the lease is known to be free again by our hand. */
    boolean isReleased() {
        return lease.map(held -> held.release() == ReleaseOutcome.RELEASED).orElse(false);
    }

    private static Optional<Duration> nextSlotIn(Acquisition refusal) {
        if (refusal instanceof Acquisition.NotDue notDue) {
            return Optional.of(notDue.nextSlotIn());
        }
        if (refusal instanceof Acquisition.Paused paused) {
            return Optional.of(paused.nextSlotIn());
        }
        return refusal instanceof Acquisition.Busy busy ? busy.nextSlotIn() : Optional.empty();
    }
}
