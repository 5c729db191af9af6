package dev.leasehold.rounds;

import dev.leasehold.Grid;
import dev.leasehold.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Counts the slots of a schedule. */
final class Slots {

    private static final long MOST_COUNTED_ONE_BY_ONE = 10_000;

    private Slots() {}

    /** How many slots lie after the one instant and before the other; of a schedule without a period 10,000 at most. */
    static long between(Schedule schedule, Instant after, Instant before) {
        if (!after.isBefore(before)) {
            return 0;
        }
        if (schedule instanceof Grid grid) {
            Instant first = grid.next(after).orElseThrow();
            if (!first.isBefore(before)) {
                return 0;
            }
            return 1 + Duration.between(first, before).minusNanos(1).dividedBy(grid.period());
        }
        long count = 0;
        Optional<Instant> next = schedule.next(after);
        while (next.isPresent() && next.get().isBefore(before) && count < MOST_COUNTED_ONE_BY_ONE) {
            count++;
            next = schedule.next(next.get());
        }
        return count;
    }
}
