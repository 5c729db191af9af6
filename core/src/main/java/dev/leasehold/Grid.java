package dev.leasehold;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.zip.CRC32;

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
public record Grid(Duration period, Duration offset) implements Schedule {

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

    /**
     * The grid of that period with an offset in whole milliseconds that only the name decides, so that rounds of one period do
     * not all fall due at the same moment. The same on every instance, and in every version.
     */
    public static Grid spread(Duration period, String name) {
        var hash = new CRC32();
        hash.update(name.getBytes(StandardCharsets.UTF_8));
        // The golden ratio's fraction spreads 32 bits over a long period too.
        long mixed = hash.getValue() * 0x9E3779B97F4A7C15L;
        return new Grid(
                period,
                Duration.ofMillis(
                        Math.floorMod(mixed, Grid.every(period).period().toMillis())));
    }

    @Override
    public Optional<Instant> next(Instant after) {
        long offsetMicros = Micros.of(offset);
        long periodMicros = Micros.of(period);
        long afterMicros = ChronoUnit.MICROS.between(Instant.EPOCH, after);
        long slot = Math.floorDiv(afterMicros - offsetMicros, periodMicros) + 1;
        return Optional.of(Instant.EPOCH.plus(offsetMicros + slot * periodMicros, ChronoUnit.MICROS));
    }
}
