package dev.leasehold.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The file in which parameters stand under the name of a service: {@code PGSERVICEFILE}, else {@code ~/.pg_service.conf}, else
 * {@code pg_service.conf} in {@code PGSYSCONFDIR}.
 *
 * @see <a href="https://www.postgresql.org/docs/current/libpq-pgservice.html">the connection service file</a>
 */
final class ServiceFile {

    private ServiceFile() {}

    static Map<String, String> parameters(String service, Surroundings surroundings) {
        List<Path> files = Stream.of(
                        Optional.of(surroundings
                                .variable("PGSERVICEFILE")
                                .map(Path::of)
                                .orElse(surroundings.home().resolve(".pg_service.conf"))),
                        surroundings.variable("PGSYSCONFDIR").map(folder -> Path.of(folder, "pg_service.conf")))
                .flatMap(Optional::stream)
                .toList();
        for (Path file : files) {
            Optional<Map<String, String>> found = Files.exists(file) ? find(service, file) : Optional.empty();
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw CommandFailure.usage("the service " + service + " is not in "
                + String.join(" or ", files.stream().map(Path::toString).toList()));
    }

    private static Optional<Map<String, String>> find(String service, Path file) {
        Map<String, String> parameters = new LinkedHashMap<>();
        boolean isFound = false;
        boolean isInside = false;
        for (String line : lines(file)) {
            if (line.startsWith("[")) {
                if (isFound) {
                    break;
                }
                isInside = line.equals("[" + service + "]");
                isFound = isInside;
            } else if (isInside && !line.isEmpty() && !line.startsWith("#")) {
                int equals = line.indexOf('=');
                if (equals < 1) {
                    throw CommandFailure.usage(
                            "the service " + service + " in " + file + " has a line that is not name=value");
                }
                parameters.putIfAbsent(
                        line.substring(0, equals).strip(),
                        line.substring(equals + 1).strip());
            }
        }
        return isFound ? Optional.of(parameters) : Optional.empty();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream().map(String::strip).toList();
        } catch (IOException e) {
            throw CommandFailure.usage("the service file " + file + " could not be read: " + e);
        }
    }
}
