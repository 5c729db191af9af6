package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;

/**
 * Deletes old rows in batches, so that no statement is long. Thread-safe.
 *
 * @param what which rows, for people
 * @param age what the caller calls the age
 * @param batch deletes one
 */
record CleanUp(String what, String age, Batch batch) {

    private static final long MOST_AT_ONCE = 1_000;
    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** One statement. */
    @FunctionalInterface
    interface Batch {
        /** How many rows of that age were deleted, the given number at most. */
        long delete(Duration age, long most) throws SQLException;
    }

    long run(Duration olderThan) {
        if (olderThan.compareTo(SHORTEST) < 0 || olderThan.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(age + " is " + olderThan + ", but must be 1 minute to 36,500 days");
        }
        long deleted = 0;
        long batchOf = MOST_AT_ONCE;
        while (batchOf == MOST_AT_ONCE) {
            try {
                batchOf = batch.delete(olderThan, MOST_AT_ONCE);
            } catch (SQLException e) {
                throw new LeaseException(
                        "the clean-up of " + what + " ended after " + deleted + " rows: " + e.getMessage(), e);
            }
            deleted += batchOf;
        }
        return deleted;
    }
}
