package dev.leasehold.launcher;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of ./run; its --help is printed by the script, which answers without a build. */
final class Options {

    static final int MAX_NODES = 26;
    static final int MAX_INSTANCES = 8;

    @Option(names = "--nodes", description = "how many nodes, 1 to 26")
    int nodes = 2;

    @Option(names = "--instances-per-node", description = "how many instances of each node, 1 to 8")
    int instancesPerNode = 1;

    @Option(names = "--database-url", description = "an existing PostgreSQL instead of the embedded one")
    Optional<String> databaseUrl = Optional.empty();

    @Option(names = "--port", description = "the first HTTP port")
    int port = 8081;

    @Option(names = "--monitors", description = "a YAML file of monitors and domains")
    Optional<Path> monitors = Optional.empty();

    @Option(names = "--project", hidden = true, description = "the project's folder")
    Path project = Path.of("");

    @Option(names = "--watch-jar", hidden = true, description = "the executable jar of a node")
    Optional<Path> watchJar = Optional.empty();

    void check() {
        checkRange("--nodes", nodes, 1, MAX_NODES);
        checkRange("--instances-per-node", instancesPerNode, 1, MAX_INSTANCES);
        checkRange("--port", port, 1, 65_535);
        monitors.ifPresent(file -> {
            if (!Files.isReadable(file) || !Files.isRegularFile(file)) {
                throw LaunchException.wrongInput("--monitors is " + file + ", but there is no such readable file");
            }
        });
    }

    int instances() {
        return nodes * instancesPerNode;
    }

    private static void checkRange(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw LaunchException.wrongInput(option + " is " + value + ", but must be from " + least + " to " + most);
        }
    }
}
