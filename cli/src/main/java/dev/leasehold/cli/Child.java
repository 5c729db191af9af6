package dev.leasehold.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command that runs, with the streams of this process. Thread-safe. */
final class Child {

    /** For the program that sends a signal: those that come one after the other are to arrive so. */
    private static final Duration PASSING = Duration.ofSeconds(1);

    private final Process process;

    private Child(Process process) {
        this.process = process;
    }

    /**
     * Starts it.
     *
     * @param variables that are added to those of this process
     */
    static Child start(List<String> command, Map<String, String> variables) throws IOException {
        var builder = new ProcessBuilder(command).inheritIO();
        builder.environment().putAll(variables);
        return new Child(builder.start());
    }

    long pid() {
        return process.pid();
    }

    boolean isRunning() {
        return process.isAlive();
    }

    /** Waits for its end, and answers its exit code; 128 + n if signal n has ended it. */
    int await() throws InterruptedException {
        return process.waitFor();
    }

    /** As {@link #await()}; an interrupt changes nothing. */
    int awaitInAnyCase() {
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Sends it a signal, by a name such as {@code HUP}; Java itself can send TERM and KILL only. */
    void signal(String name) {
        if (!process.isAlive()) {
            return;
        }
        if (name.equals("TERM")) {
            process.destroy();
            return;
        }
        try {
            boolean unused = new ProcessBuilder("sh", "-c", "kill -s \"$0\" \"$1\"", name, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor(PASSING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            System.err.println("leasehold: SIG" + name + " could not be passed on: " + e.getMessage());
        }
    }

    /**
     * Ends it and what it has started: told to by SIGTERM, made to by SIGKILL. What has left the family, a daemon, is not found.
     *
     * @param patience between the two
     */
    void end(Duration patience) throws InterruptedException {
        new Family(process.toHandle()).end(patience);
    }
}
