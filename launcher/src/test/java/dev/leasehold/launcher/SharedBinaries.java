package dev.leasehold.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** PostgreSQL's programs, unpacked once for all tests. */
final class SharedBinaries {

    private SharedBinaries() {}

    static void linkInto(DataFolder data) throws IOException {
        Path shared = Files.createDirectories(Path.of("target", "postgres-bin").toAbsolutePath());
        Files.createSymbolicLink(data.postgresBinaries(), shared);
    }
}
