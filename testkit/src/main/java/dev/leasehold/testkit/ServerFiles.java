package dev.leasehold.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The data and the log of a server, and its control program. */
record ServerFiles(Path data, Path log) {

    private static final int PATIENCE_SECONDS = 60;

    /** Runs pg_ctl with those arguments, and waits until it has done its work. */
    void control(String... arguments) {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            // PostgreSQL refuses to run as root; in a user namespace of its own it does not see that it does
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(pgCtl().toString());
        command.addAll(List.of("-D", data.toString(), "-l", log.toString(), "-w", "-t", "" + PATIENCE_SECONDS));
        command.addAll(List.of(arguments));
        try {
            var process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            if (!process.waitFor(PATIENCE_SECONDS * 2L, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException(command + " failed; " + log + " says why");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(command + " was interrupted", e);
        }
    }

    /** Whether a server runs on the data, or ended without a word. */
    boolean isInUse() {
        return Files.exists(data.resolve("postmaster.pid"));
    }

    /** Goes on after the end of this JVM, which need not wait for it: many databases are many files. */
    void delete() {
        try {
            new ProcessBuilder("rm", "-rf", data.toString()).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Beside the server that was started last: its command line begins with the program. */
    private Path pgCtl() {
        try {
            String line = Files.readString(data.resolve("postmaster.opts"));
            return Path.of(line.substring(0, line.indexOf(" \""))).resolveSibling("pg_ctl");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
