package dev.leasehold.launcher;

import java.io.IOException;

/** The one signal that {@link ProcessHandle} can't send. */
final class Signals {

    private Signals() {}

    /** SIGINT, by the shell's own kill: a bare machine may have no other. */
    static void interrupt(ProcessHandle process) throws IOException, InterruptedException {
        new ProcessBuilder("/bin/sh", "-c", "kill -INT " + process.pid())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
