package dev.leasehold.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits until something is true, and fails if it does not become so in time. */
final class Await {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private Await() {}

    static void until(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + LIMIT + ": " + what);
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    /** Until a command has written a whole line into that file; answers all that is in it, without white space around it. */
    static String line(Path file) throws Exception {
        until(
                "a line in " + file.getFileName(),
                () -> Files.exists(file) && Files.readString(file).endsWith("\n"));
        return Files.readString(file).strip();
    }
}
