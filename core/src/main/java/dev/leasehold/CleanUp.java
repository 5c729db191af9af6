package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;

/** Deletes rows of names that are used no more, in batches, so that no statement is long. Thread-safe. */
final class CleanUp {

    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final Wiring wiring;
    private final long mostAtOnce;

    CleanUp(Wiring wiring, long mostAtOnce) {
        this.wiring = wiring;
        this.mostAtOnce = mostAtOnce;
    }

    long run(Duration unusedFor) {
        if (unusedFor.compareTo(SHORTEST) < 0 || unusedFor.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("unusedFor is " + unusedFor + ", but must be 1 minute to 36,500 days");
        }
        long deleted = 0;
        long batch = mostAtOnce;
        while (batch == mostAtOnce) {
            try {
                batch = wiring.table().deleteUnused(wiring.shared(), unusedFor, mostAtOnce, Wiring.LONGEST_WAIT);
            } catch (SQLException e) {
                throw new LeaseException(
                        "the clean-up of unused leases ended after " + deleted + " rows: " + e.getMessage(), e);
            }
            deleted += batch;
        }
        return deleted;
    }
}
