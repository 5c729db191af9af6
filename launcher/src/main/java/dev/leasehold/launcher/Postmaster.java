package dev.leasehold.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The live server process of a data directory.
 *
 * <p>Its postmaster.pid names a process id in the first line and the data directory in the second (PostgreSQL
 * documentation, "Database File Layout"). After a kill the number may belong to any other process by now, and after a
 * copy of the folder to the server of the original: neither is ours.
 */
record Postmaster(ProcessHandle process) {

    static Optional<Postmaster> runningOn(Path dataDirectory) throws IOException {
        Path pidFile = pidFile(dataDirectory);
        if (!Files.exists(pidFile)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(pidFile);
        if (lines.size() < 2 || !isSameFile(lines.get(1), dataDirectory)) {
            return Optional.empty();
        }
        return ProcessHandle.of(pid(lines.get(0))).filter(Postmaster::isRunning).map(Postmaster::new);
    }

    /** Call it only when nothing runs there: the server refuses a start while any process has the number in the file. */
    static void removeStalePidFile(Path dataDirectory) throws IOException {
        Files.deleteIfExists(pidFile(dataDirectory));
    }

    long pid() {
        return process.pid();
    }

    boolean isRunning() {
        return isRunning(process);
    }

    /** Fast shutdown: clients are cut off, everything committed is on disk. */
    void stop(Duration patience) throws IOException, InterruptedException {
        Signals.interrupt(process);
        if (!Poll.until(patience, () -> !isRunning(process))) {
            throw new IOException(
                    "PostgreSQL (process " + pid() + ") has not ended within " + patience.toSeconds() + " s");
        }
    }

    /** A process that has ended and was not collected is alive to the JVM, but has no program. */
    private static boolean isRunning(ProcessHandle process) {
        return process.isAlive()
                && process.info().command().map(Path::of).map(Path::getFileName).stream()
                        .anyMatch(name -> name.toString().startsWith("postgres"));
    }

    private static boolean isSameFile(String named, Path dataDirectory) throws IOException {
        Path other = Path.of(named.strip());
        return Files.exists(other) && Files.isSameFile(other, dataDirectory);
    }

    private static long pid(String line) {
        return line.strip().matches("\\d{1,18}") ? Long.parseLong(line.strip()) : -1;
    }

    private static Path pidFile(Path dataDirectory) {
        return dataDirectory.resolve("postmaster.pid");
    }
}
