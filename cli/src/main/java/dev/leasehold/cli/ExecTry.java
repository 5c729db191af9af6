package dev.leasehold.cli;

import dev.leasehold.Acquisition;
import dev.leasehold.Lease;
import dev.leasehold.LeaseException;
import dev.leasehold.LeaseListener;
import dev.leasehold.Leases;
import dev.leasehold.LossReason;
import dev.leasehold.ReleaseOutcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** One try to run a command under a lease: acquires it, has the command run, and releases it when that has ended. */
final class ExecTry {

    /** For a release that does not succeed at once: the row is locked, or the database away. */
    private static final Duration RELEASE_PATIENCE = Duration.ofSeconds(5);

    private final DataSource dataSource;
    private final ExecTerms terms;
    private final ExecLines lines;
    private final SignalRelay signals;
    private final CountDownLatch released = new CountDownLatch(1);

    ExecTry(DataSource dataSource, ExecTerms terms, ExecLines lines, SignalRelay signals) {
        this.dataSource = dataSource;
        this.terms = terms;
        this.lines = lines;
        this.signals = signals;
    }

    /** Never throws for what the database does. */
    ExecReport run() {
        ExecReport report;
        try (Leases leases = leases()) {
            report = under(leases);
        } catch (LeaseException e) {
            report = notRun(e);
        }
        report.lease().ifPresent(this::tellUnreleased);
        return report;
    }

    private Leases leases() {
        return Leases.on(dataSource)
                .table(terms.table())
                .ttl(terms.ttl())
                .listener(new LeaseListener() {
                    @Override
                    public void released(Lease lease) {
                        released.countDown();
                    }

                    @Override
                    public void lost(Lease lease, LossReason reason) {
                        released.countDown();
                    }
                })
                .build();
    }

    private ExecReport under(Leases leases) {
        try {
            Acquisition answer = acquire(leases);
            return answer.lease()
                    .map(lease -> new ExecRun(lease, terms, lines, signals).run(this::release))
                    .orElseGet(() -> ExecRefusal.of(terms.name(), answer));
        } catch (LeaseException | InterruptedException e) {
            // A signal has interrupted the wait; it is not to interrupt the closing of the leases too.
            Thread.interrupted();
            return notRun(e);
        }
    }

    private Acquisition acquire(Leases leases) throws InterruptedException {
        if (terms.schedule().isPresent()) {
            return leases.tryAcquireSlot(terms.name(), terms.schedule().get());
        }
        if (!terms.patience().isZero()) {
            lines.tell("waits for lease " + terms.name() + ", " + DurationText.of(terms.patience()) + " at most");
        }
        return leases.tryAcquire(terms.name(), terms.patience());
    }

    private ExecReport notRun(Exception e) {
        Optional<SignalRelay.Caught> signal = signals.caught();
        return signal.map(ExecReport::signaled)
                .orElseGet(() -> ExecReport.notRun(ExecOutcome.FAILED, ExecCode.FAILED, ErrorLine.of(e)));
    }

    /** Waits a while for what can't be done at once. */
    private void release(Lease lease, boolean isCounted) {
        ReleaseOutcome outcome = isCounted ? lease.releaseDone() : lease.release();
        if (outcome != ReleaseOutcome.PENDING) {
            return;
        }
        try {
            boolean unused = released.await(RELEASE_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tellUnreleased(Lease lease) {
        if (lease.release() == ReleaseOutcome.PENDING) {
            lines.warn("lease " + lease.name() + " could not be released: it runs out within "
                    + DurationText.of(terms.ttl())
                    + (terms.schedule().isPresent() ? ", and its slot is not counted" : ""));
        }
    }
}
