package dev.leasehold.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * The files of the embedded cluster, which a kill may have left half made.
 *
 * <p>A marker beside the directory stands from before the creation until after it. A cluster is finished if it has its
 * version and control files and either no marker or a sign that a server once ran on it: only then is it kept. What
 * nobody marked and yet is no cluster was put there by somebody: it is moved aside, never removed.
 */
final class DataDirectory {

    private final Path path;
    private final Path marker;
    private final Console console;

    DataDirectory(DataFolder data, Console console) {
        this.path = data.postgres();
        this.marker = data.postgresUnfinished();
        this.console = console;
    }

    /** Leaves either a finished cluster or nothing there. */
    void prepare() throws IOException {
        if (isFinished()) {
            Files.deleteIfExists(marker);
            Postmaster.removeStalePidFile(path);
            return;
        }
        if (Files.exists(marker)) {
            console.say("The database of an earlier start was only half created: creating it again.");
            FileTree.delete(path);
        } else if (hasContent()) {
            Path aside = path.resolveSibling(
                    "postgres.not-a-cluster-" + Instant.now().getEpochSecond());
            Files.move(path, aside);
            console.say(path + " held no database cluster: moved to " + aside + ".");
        }
        Files.writeString(marker, "A cluster is being created; if this file stays, that was cut short.\n");
    }

    /** Called when the creation is through. */
    void created() throws IOException {
        Files.deleteIfExists(marker);
    }

    private boolean isFinished() {
        return Files.exists(path.resolve("PG_VERSION"))
                && Files.exists(path.resolve("global").resolve("pg_control"))
                && (!Files.exists(marker) || Files.exists(path.resolve("postmaster.opts")));
    }

    private boolean hasContent() throws IOException {
        if (!Files.isDirectory(path)) {
            return Files.exists(path);
        }
        try (var entries = Files.list(path)) {
            return entries.findAny().isPresent();
        }
    }
}
