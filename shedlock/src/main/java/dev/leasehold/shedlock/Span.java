package dev.leasehold.shedlock;

import dev.leasehold.Lease;
import dev.leasehold.LeaseRequest;
import java.time.Duration;
import net.javacrumbs.shedlock.core.LockConfiguration;

/**
 * For how long a lock lasts, in lengths that leases take.
 *
 * @param atMost more than zero
 * @param atLeast zero or more
 */
record Span(Duration atMost, Duration atLeast) {

    private static final Duration SHORTEST = Duration.ofMillis(1);

    Span(LockConfiguration configuration) {
        this(bounded(configuration.getLockAtMostFor()), configuration.getLockAtLeastFor());
    }

    Span {
        if (atLeast.compareTo(Lease.LONGEST_REST) > 0) {
            throw new IllegalArgumentException("lockAtLeastFor is " + atLeast + ", but must be at most 366 days");
        }
    }

    /** ShedLock takes zero, for a lock that is free at once, and people write very long ones for "no limit". */
    private static Duration bounded(Duration atMost) {
        if (atMost.compareTo(SHORTEST) < 0) {
            return SHORTEST;
        }
        return atMost.compareTo(LeaseRequest.LONGEST_LIMIT) > 0 ? LeaseRequest.LONGEST_LIMIT : atMost;
    }
}
