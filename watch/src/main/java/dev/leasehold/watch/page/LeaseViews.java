package dev.leasehold.watch.page;

import dev.leasehold.LeaseRow;
import dev.leasehold.watch.nodes.Instance;
import dev.leasehold.watch.page.PageView.LeaseView;
import dev.leasehold.watch.page.PageView.Status;
import dev.leasehold.watch.page.PageView.When;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A row of the lease table in words. */
final class LeaseViews {

    /** The holder of a lease that rests: nobody's, for a while. */
    private static final String NOBODY = "-";

    private LeaseViews() {}

    static LeaseView of(LeaseRow lease, List<Instance> instances, Instant now) {
        Duration left = isResting(lease, now) ? Duration.between(now, lease.expiresAt()) : lease.timeLeft();
        return new LeaseView(
                lease.name(),
                status(lease, now),
                !lease.held() && !lease.holder().equals(NOBODY),
                node(lease, instances),
                lease.holder().equals(NOBODY) ? "nobody" : lease.holder(),
                Long.toString(lease.fence()),
                left.isZero() ? "-" : Words.span(left),
                lease.doneSlot().map(slot -> When.of(slot, now)).orElse(null),
                lease.deaths());
    }

    private static Status status(LeaseRow lease, Instant now) {
        if (lease.held()) {
            return new Status("busy", "held");
        }
        if (isResting(lease, now)) {
            return new Status("off", "resting");
        }
        boolean endedWell =
                lease.expiresAt().equals(Instant.EPOCH) || lease.holder().equals(NOBODY);
        return endedWell ? new Status("off", "free") : new Status("warn", "expired, not released");
    }

    private static boolean isResting(LeaseRow lease, Instant now) {
        return lease.holder().equals(NOBODY) && lease.expiresAt().isAfter(now);
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
