package dev.leasehold.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Interrupts the thread that starts a server once pg_ctl has written that it could not: the library goes on asking the
 * server that is not there until its patience ends.
 */
final class FailedStartWatch {

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Pattern GIVEN_UP = Pattern.compile("could not start server|pg_ctl: error:");

    private final Path log;
    private final Thread starter = Thread.currentThread();
    private final Thread watcher = new Thread(this::watch, "watch over the start of PostgreSQL");

    private FailedStartWatch(Path log) {
        this.log = log;
        watcher.setDaemon(true);
    }

    static FailedStartWatch over(Path log) {
        FailedStartWatch watch = new FailedStartWatch(log);
        watch.watcher.start();
        return watch;
    }

    void end() {
        watcher.interrupt();
    }

    private void watch() {
        try {
            while (!hasGivenUp()) {
                Thread.sleep(POLL.toMillis());
            }
            starter.interrupt();
        } catch (InterruptedException | IOException e) {
            return; // ended, or a log that can't be read: then the library's patience decides
        }
    }

    private boolean hasGivenUp() throws IOException {
        return Files.exists(log) && GIVEN_UP.matcher(Files.readString(log)).find();
    }
}
