package dev.leasehold.launcher;

import java.nio.file.Path;
import java.time.Duration;

/** Says it aloud, once, when the embedded server dies under the nodes: they only log that they can't reach it. */
final class PostmasterWatch {

    private static final Duration POLL = Duration.ofSeconds(1);

    private final Postmaster server;
    private final Path log;
    private final Console console;
    private final Thread thread = new Thread(this::watch, "watch over PostgreSQL");

    private PostmasterWatch(Postmaster server, Path log, Console console) {
        this.server = server;
        this.log = log;
        this.console = console;
        thread.setDaemon(true);
    }

    static PostmasterWatch over(Postmaster server, Path log, Console console) {
        PostmasterWatch watch = new PostmasterWatch(server, log, console);
        watch.thread.start();
        return watch;
    }

    /** Call it before the server is ended on purpose; waits no longer than a check takes, were the console to stand still. */
    void end() throws InterruptedException {
        thread.interrupt();
        thread.join(POLL.toMillis());
    }

    private void watch() {
        try {
            while (server.isRunning()) {
                Thread.sleep(POLL.toMillis());
            }
        } catch (InterruptedException e) {
            return; // ended
        }
        console.shout("The embedded PostgreSQL (process " + server.pid()
                + ") has died, and the nodes have no database until ./run is started again; its log: " + log);
    }
}
