package dev.leasehold;

import dev.leasehold.internal.SafeLog;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells all metrics; what one throws is logged and changes nothing. Thread-safe. */
final class SafeMetrics implements LeaseMetrics {

    private static final Logger log = LoggerFactory.getLogger(LeaseMetrics.class);

    private final List<LeaseMetrics> all;

    SafeMetrics(List<LeaseMetrics> all) {
        this.all = List.copyOf(all);
    }

    @Override
    public void acquired(String name, boolean takenOver) {
        tell(one -> one.acquired(name, takenOver));
    }

    @Override
    public void refused(String name) {
        tell(one -> one.refused(name));
    }

    @Override
    public void failed(String name) {
        tell(one -> one.failed(name));
    }

    @Override
    public void lost(String name, LossReason reason) {
        tell(one -> one.lost(name, reason));
    }

    @Override
    public void released(String name) {
        tell(one -> one.released(name));
    }

    @Override
    public void renewed(int leases, Duration took) {
        tell(one -> one.renewed(leases, took));
    }

    @Override
    public void renewalFailed(int leases, Duration took) {
        tell(one -> one.renewalFailed(leases, took));
    }

    private void tell(Consumer<LeaseMetrics> event) {
        for (LeaseMetrics one : all) {
            try {
                event.accept(one);
            } catch (Throwable thrown) {
                SafeLog.error(log, "metrics threw", thrown);
            }
        }
    }
}
