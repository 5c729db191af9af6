package dev.leasehold.micrometer;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits until something is true, and fails if it does not become so in time. */
final class Await {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private Await() {}

    static void until(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + LIMIT + ": " + what);
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }
}
