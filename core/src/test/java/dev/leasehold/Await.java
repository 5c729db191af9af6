package dev.leasehold;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits until something is true, and fails if it does not become so in time. */
public final class Await {

    private Await() {}

    public static void until(String what, Duration limit, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + limit + ": " + what);
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }
}
