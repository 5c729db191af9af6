package dev.leasehold.launcher;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Awaits a condition that no signal tells of, with a deadline. */
final class Eventually {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Eventually() {}

    static void holds(String claim, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + PATIENCE + ": " + claim);
            }
            Thread.sleep(50);
        }
    }
}
