package dev.leasehold.shedlock;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits until something is true, and fails if it does not become so in time. */
final class Await {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    private Await() {}

    static void until(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + PATIENCE + ": " + what);
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }
}
