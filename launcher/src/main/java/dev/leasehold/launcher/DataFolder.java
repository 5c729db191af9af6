package dev.leasehold.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The folder that keeps everything between two runs: the database's files, logs, the lock. Git ignores it.
 *
 * <p>Nobody else may enter it: the library unpacks PostgreSQL's programs, which the next run executes, into a folder that
 * everybody may write to.
 */
record DataFolder(Path root) {

    static DataFolder of(Path root) throws IOException {
        Files.createDirectories(root);
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
        Files.createDirectories(root.resolve("log"));
        return new DataFolder(root.toRealPath());
    }

    Path postgres() {
        return root.resolve("postgres");
    }

    /** Exists from before the creation of a cluster until its end. */
    Path postgresUnfinished() {
        return root.resolve("postgres.unfinished");
    }

    Path postgresBinaries() {
        return root.resolve("postgres-bin");
    }

    Path lock() {
        return root.resolve("run.lock");
    }

    Path sampleMonitors() {
        return root.resolve("monitors.yaml");
    }

    Path logs() {
        return root.resolve("log");
    }

    /** A log file to begin anew; the one of the run before is kept beside it. */
    Path freshLog(String name) throws IOException {
        Path log = logs().resolve(name + ".log");
        if (Files.exists(log)) {
            Files.move(log, logs().resolve(name + ".previous.log"), StandardCopyOption.REPLACE_EXISTING);
        }
        return log;
    }
}
