package dev.leasehold.micrometer;

import java.time.Duration;

/** Durations as gauges tell them. */
final class Seconds {

    private static final double NANOS = 1e9;

    private Seconds() {}

    static double of(Duration duration) {
        return duration.getSeconds() + duration.getNano() / NANOS;
    }
}
