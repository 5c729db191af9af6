package dev.leasehold.cli;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds out, as a shell does, whether there is such a program, and whether it can be run. */
final class Program {

    /** What a shell would say. */
    enum Verdict {
        RUNNABLE,
        NOT_EXECUTABLE,
        NOT_FOUND
    }

    private Program() {}

    /** @param searchPath as in the variable PATH */
    static Verdict verdict(String program, String searchPath) {
        List<Path> found = places(program, searchPath).filter(Files::exists).toList();
        if (found.stream().anyMatch(file -> Files.isRegularFile(file) && Files.isExecutable(file))) {
            return Verdict.RUNNABLE;
        }
        boolean isNamedByPath = program.contains("/");
        boolean isThere = found.stream().anyMatch(file -> isNamedByPath || Files.isRegularFile(file));
        return isThere ? Verdict.NOT_EXECUTABLE : Verdict.NOT_FOUND;
    }

    private static Stream<Path> places(String program, String searchPath) {
        if (program.isEmpty()) {
            return Stream.empty();
        }
        if (program.contains("/")) {
            return Stream.of(Path.of(program));
        }
        return Stream.of(searchPath.split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder.isEmpty() ? "." : folder, program));
    }
}
