package dev.leasehold.watch.page;

import dev.leasehold.LeaseRow;
import dev.leasehold.watch.nodes.Instance;
import dev.leasehold.watch.page.PageView.LeaseView;
import dev.leasehold.watch.page.PageView.Status;
import dev.leasehold.watch.page.PageView.When;
import java.time.Instant;
import java.util.List;

/** A row of the lease table in words. */
final class LeaseViews {

    /** The holder of a lease that rests: nobody's, for a while. */
    private static final String NOBODY = "-";

    private LeaseViews() {}

    static LeaseView of(LeaseRow lease, List<Instance> instances, Instant now) {
        return new LeaseView(
                lease.name(),
                status(lease),
                node(lease, instances),
                lease.holder(),
                Long.toString(lease.fence()),
                lease.held() ? Words.span(lease.timeLeft()) : "-",
                lease.doneSlot().map(slot -> When.of(slot, now)).orElse(null),
                lease.deaths());
    }

    private static Status status(LeaseRow lease) {
        if (lease.held()) {
            return lease.holder().equals(NOBODY) ? new Status("off", "resting") : new Status("busy", "held");
        }
        return lease.expiresAt().equals(Instant.EPOCH)
                ? new Status("off", "free")
                : new Status("warn", "expired, not released");
    }

    /** Empty if the holder is of no instance whose row is still there. */
    private static String node(LeaseRow lease, List<Instance> instances) {
        return instances.stream()
                .filter(instance -> instance.isProcessOf(lease.holder()))
                .map(Instance::node)
                .findFirst()
                .orElse("");
    }
}
