package dev.leasehold.cli;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What a command finds around it.
 *
 * @param environment the variables of the process
 * @param home where a user's own files are
 * @param user who runs it, by the operating system
 * @param terminal what its streams are
 * @param in where answers are read from
 */
record Surroundings(Map<String, String> environment, Path home, String user, Terminal terminal, InputStream in) {

    Surroundings {
        environment = Map.copyOf(environment);
    }

    /** Those of this process. */
    static Surroundings ofProcess() {
        Map<String, String> environment = System.getenv();
        String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        return new Surroundings(
                environment,
                Path.of(home),
                System.getProperty("user.name"),
                Terminal.ofProcess(environment),
                System.in);
    }

    static Surroundings of(CommandSpec spec) {
        return ((Leasehold) spec.root().userObject()).surroundings();
    }

    /** A variable; one that is empty counts as not set. */
    Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }
}
