package dev.leasehold;

import java.time.Duration;

/**
 * The instants at which a round falls due: every {@code period} since 1970-01-01T00:00Z, moved by {@code offset}.
 *
 * <p>The slot of an instant t is {@code offset + floor((t - offset) / period) * period}, in whole microseconds, by the
 * database's clock. Every instance with the same grid sees the same slots, and they do not drift.
 *
 * <p>Immutable.
 *
 * @param period 1 ms to 366 days, in whole microseconds
 * @param offset at least zero and less than the period, in whole microseconds
 */
public record Grid(Duration period, Duration offset) {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(366);

    public Grid {
        if (period.compareTo(SHORTEST) < 0 || period.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("period is " + period + ", but must be 1 ms to 366 days");
        }
        if (offset.isNegative() || offset.compareTo(period) >= 0) {
            throw new IllegalArgumentException(
                    "offset is " + offset + ", but must be at least zero and less than the period, " + period);
        }
        Micros.requireWhole("period", period);
        Micros.requireWhole("offset", offset);
    }

    /** The grid of that period without an offset. */
    public static Grid every(Duration period) {
        return new Grid(period, Duration.ZERO);
    }
}
