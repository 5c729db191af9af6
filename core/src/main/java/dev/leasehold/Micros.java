package dev.leasehold;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/** Durations as PostgreSQL keeps them: in whole microseconds. */
final class Micros {

    private Micros() {}

    static long of(Duration duration) {
        return TimeUnit.MICROSECONDS.convert(duration);
    }

    static Duration toDuration(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    static void requireWhole(String what, Duration duration) {
        if (duration.toNanosPart() % 1000 != 0) {
            throw new IllegalArgumentException(what + " is " + duration + ", but must be whole microseconds");
        }
    }
}
