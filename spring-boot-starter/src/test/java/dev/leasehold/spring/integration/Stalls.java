package dev.leasehold.spring.integration;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Sees for how long this process did not run, from its start to its close: a thread that comes late to its next look. */
final class Stalls implements AutoCloseable {

    private static final Duration EVERY = Duration.ofMillis(5);

    private final Thread thread = new Thread(this::look, "stalls");
    private volatile long longestNanos;

    Stalls() {
        thread.setDaemon(true);
        thread.start();
    }

    private void look() {
        long lastNanos = System.nanoTime();
        try {
            while (true) {
                TimeUnit.NANOSECONDS.sleep(EVERY.toNanos());
                long nowNanos = System.nanoTime();
                longestNanos = Math.max(longestNanos, nowNanos - lastNanos);
                lastNanos = nowNanos;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    Duration longest() {
        return Duration.ofNanos(longestNanos);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
