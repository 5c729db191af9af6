package dev.leasehold.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A program that some tests need and that a machine may lack: they are skipped then, and say so. With {@code CI=true} in the
 * environment they fail instead.
 */
public enum OptionalTool {
    /** The connection pooler. */
    PGBOUNCER("pgbouncer"),
    /** Gives a process another clock. */
    FAKETIME("faketime"),
    /** Gives a program a terminal. */
    SCRIPT("script");

    /** Looked into after those of the PATH, which often lacks some of them. */
    private static final List<String> FOLDERS = List.of("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin");

    private final String program;

    OptionalTool(String program) {
        this.program = program;
    }

    /** The program, or else the end of the test. */
    public Path orSkip() {
        Optional<Path> found = find();
        if (found.isEmpty()) {
            String missing = program + " is missing on this machine: its tests do not run";
            if ("true".equals(System.getenv("CI"))) {
                throw new IllegalStateException(missing);
            }
            System.err.println(missing);
            Assumptions.abort(missing);
        }
        return found.orElseThrow();
    }

    private Optional<Path> find() {
        String path = System.getenv("PATH");
        Stream<String> ofPath = path == null ? Stream.empty() : Stream.of(path.split(File.pathSeparator, -1));
        return Stream.concat(ofPath, FOLDERS.stream())
                .map(folder -> Path.of(folder).resolve(program))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
