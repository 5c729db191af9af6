package dev.leasehold.internal;

import java.time.Duration;

/**
 * Says when it is time for another line in the log about what may go on for hours: at once, and then once a minute.
 * Thread-safe.
 */
public final class OnceAMinute {

    private static final long BETWEEN_NANOS = Duration.ofMinutes(1).toNanos();

    private long lastNanos = System.nanoTime() - BETWEEN_NANOS;

    /** Whether it is; then not again for a minute. */
    public synchronized boolean isTime() {
        long now = System.nanoTime();
        if (now - lastNanos < BETWEEN_NANOS) {
            return false;
        }
        lastNanos = now;
        return true;
    }
}
