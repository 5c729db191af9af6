package dev.leasehold.watch.uptime;

import java.time.Duration;

/** A moment on the monotonic clock by which all of a check must be done. */
record Deadline(long atNanos) {

    static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /** Never negative; zero once it has passed. */
    long remainingNanos() {
        return Math.max(0, atNanos - System.nanoTime());
    }
}
