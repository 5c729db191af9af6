package dev.leasehold.cli;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One run of a command under a lease that is held. */
final class ExecRun {

    private final Lease lease;
    private final ExecTerms terms;
    private final ExecLines lines;
    private final SignalRelay signals;

    ExecRun(Lease lease, ExecTerms terms, ExecLines lines, SignalRelay signals) {
        this.lease = lease;
        this.terms = terms;
        this.lines = lines;
        this.signals = signals;
    }

    /**
     * Starts it and waits for its end.
     *
     * @param release takes the lease when the command has ended, and whether its slot counts
     */
    ExecReport run(BiConsumer<Lease, Boolean> release) {
        Optional<SignalRelay.Caught> signal = signals.caught();
        if (signal.isPresent()) {
            return abandoned(ExecReport.signaled(signal.get()));
        }
        if (!lease.isHeld()) {
            return abandoned(ExecReport.notRun(
                    ExecOutcome.FAILED,
                    ExecCode.FAILED,
                    "lease " + lease.name() + " was lost before the command began"));
        }
        @Nullable Guard guard;
        try {
            guard = terms.endsOnLoss() ? Guard.start(terms.killAfter()) : null;
        } catch (IOException e) {
            return abandoned(ExecReport.notRun(
                    ExecOutcome.FAILED, ExecCode.FAILED, "the command's guard can't be started: " + e.getMessage()));
        }
        ExecReport report;
        // The guard is to know of the command's end before the release, which may take a while: its process id is free
        // by then.
        try (guard) {
            report = guarded(guard);
        } catch (IOException e) {
            return abandoned(ExecReport.notRun(
                    ExecOutcome.NOT_EXECUTABLE,
                    ExecCode.NOT_EXECUTABLE,
                    "the command can't be run: " + e.getMessage()));
        }
        release.accept(lease, report.isCounted());
        return report;
    }

    /** Whatever fails once it has begun: neither the guard nor the lease is let go before it has ended. */
    private ExecReport guarded(@Nullable Guard guard) throws IOException {
        Child child = Child.start(terms.command(), variables());
        try {
            signals.passTo(child);
            watch(guard, child);
            lines.tell("lease " + lease.name() + " is held by " + lease.holder() + " with fence " + lease.fence()
                    + "; the command is process " + child.pid());
            return ended(child);
        } catch (RuntimeException | Error e) {
            if (terms.endsOnLoss()) {
                end(child); // nobody looks any more whether the lease is lost
            }
            throw e;
        } finally {
            int unused = child.awaitInAnyCase();
        }
    }

    /** As if the lease had never been acquired. */
    private ExecReport abandoned(ExecReport report) {
        Thread.interrupted();
        lease.abandon();
        return report;
    }

    private void watch(@Nullable Guard guard, Child child) {
        if (guard == null) {
            return;
        }
        try {
            guard.watch(child);
        } catch (IOException e) {
            lines.warn("nobody ends the command if exec is killed: its guard is gone (" + e.getMessage() + ")");
        }
    }

    private Map<String, String> variables() {
        var variables = new LinkedHashMap<String, String>();
        variables.put("LEASEHOLD_LEASE", lease.name());
        variables.put("LEASEHOLD_HOLDER", lease.holder());
        variables.put("LEASEHOLD_FENCE", Long.toString(lease.fence()));
        lease.slot().ifPresent(slot -> variables.put("LEASEHOLD_SLOT", slot.at().toString()));
        return variables;
    }

    private ExecReport ended(Child child) {
        if (terms.endsOnLoss() && isLostWhileRunning(child)) {
            lines.warn("lease " + lease.name() + " is " + lease.state() + ": the command is ended");
            end(child);
            return ExecReport.under(
                    lease,
                    ExecOutcome.ENDED_ON_LOSS,
                    ExecCode.ENDED_ON_LOSS,
                    "the command was ended, for lease " + lease.name() + " was not known to be held any more",
                    false);
        }
        int exitCode = child.awaitInAnyCase();
        boolean isCounted = lease.slot().isPresent() && (exitCode == 0 || countsAsFailed());
        return ExecReport.under(lease, ExecOutcome.RAN, exitCode, "", isCounted);
    }

    /** A round that is stopped stays due too. */
    private boolean countsAsFailed() {
        return !terms.retriesFailed() && !signals.isToldToEnd();
    }

    private boolean isLostWhileRunning(Child child) {
        try {
            lease.runOrInterrupt(held -> child.await());
            return false;
        } catch (LeaseLostException e) {
            return child.isRunning();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody else interrupts this thread", e);
        }
    }

    private void end(Child child) {
        try {
            child.end(terms.killAfter());
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this thread any more", e);
        }
    }
}
