package dev.leasehold.launcher;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Waits for what nobody signals.
 *
 * <p>The end of a process that is not our child is such a thing: where no init process collects orphans, as in many
 * containers, it stays in the process table for ever, and {@link ProcessHandle#onExit} never comes.
 */
final class Poll {

    private static final Duration PAUSE = Duration.ofMillis(50);

    private Poll() {}

    /** Whether the condition came to hold in that time. */
    static boolean until(Duration patience, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.sleep(PAUSE.toMillis());
        }
        return true;
    }
}
