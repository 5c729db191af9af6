package dev.leasehold.watch.page;

import java.time.Duration;
import java.time.Instant;

/** Spans of time in words, with as much detail as one needs at a glance. */
final class Words {

    /** PostgreSQL's infinity reads as a time beyond all those it can count, which end after some 300,000 years. */
    private static final Duration ENDLESS = Duration.ofDays(100_000_000);

    private Words() {}

    static String span(Duration span) {
        if (isEndless(span)) {
            return "without end";
        }
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
        if (isEndless(age)) {
            return age.isNegative() ? "never" : "since ever";
        }
        if (age.abs().compareTo(Duration.ofSeconds(1)) < 0) {
            return "just now";
        }
        return age.isNegative() ? "in " + span(age.negated()) : span(age) + " ago";
    }

    private static boolean isEndless(Duration span) {
        return span.abs().compareTo(ENDLESS) >= 0;
    }

    private static String two(long large, String largeUnit, long small, String smallUnit) {
        return small == 0 ? large + " " + largeUnit : large + " " + largeUnit + " " + small + " " + smallUnit;
    }
}
