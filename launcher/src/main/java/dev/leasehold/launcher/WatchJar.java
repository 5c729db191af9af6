package dev.leasehold.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The executable jar of Watch in the project's build output. */
final class WatchJar {

    private WatchJar() {}

    static Path in(Path project) throws IOException {
        Path target = project.resolve("watch").resolve("target");
        if (Files.isDirectory(target)) {
            try (var jars = Files.newDirectoryStream(target, "leasehold-watch-*-exec.jar")) {
                for (Path jar : jars) {
                    return jar.toRealPath();
                }
            }
        }
        throw LaunchException.failure("there is no executable jar of Watch in " + target + ": ./run builds it");
    }
}
