package dev.leasehold.watch.page;

import java.time.Duration;
import java.time.Instant;

/** Spans of time in words, with as much detail as one needs at a glance. */
final class Words {

    private Words() {}

    static String span(Duration span) {
        long seconds = span.toSeconds();
        if (seconds < 1) {
            return span.toMillis() + " ms";
        }
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3600) {
            return two(seconds / 60, "min", seconds % 60, "s");
        }
        if (seconds < 86_400) {
            return two(seconds / 3600, "h", seconds % 3600 / 60, "min");
        }
        return two(seconds / 86_400, "d", seconds % 86_400 / 3600, "h");
    }

    /** {@code then} may lie ahead of {@code now}: the next slot, or a clock that was set back. */
    static String ago(Instant then, Instant now) {
        Duration age = Duration.between(then, now);
        if (age.abs().compareTo(Duration.ofSeconds(1)) < 0) {
            return "just now";
        }
        return age.isNegative() ? "in " + span(age.negated()) : span(age) + " ago";
    }

    private static String two(long large, String largeUnit, long small, String smallUnit) {
        return small == 0 ? large + " " + largeUnit : large + " " + largeUnit + " " + small + " " + smallUnit;
    }
}
