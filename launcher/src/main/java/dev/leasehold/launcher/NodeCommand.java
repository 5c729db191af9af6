package dev.leasehold.launcher;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How the JVM of a node is called.
 *
 * <p>What concerns the database goes through the environment: other users of the machine can read a command line.
 *
 * <p>A JVM that is out of memory ends: half dead, it might renew its leases and do no work under them.
 */
record NodeCommand(Path watchJar, DataFolder data, DatabaseUrl database, Path monitors) {

    ProcessBuilder of(Node node) {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                Leftovers.mark(data),
                "-Xmx160m",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                watchJar.toString(),
                "--server.port=" + node.port(),
                "--watch.node=" + node.name(),
                "--watch.advertised-url=" + node.url(),
                "--watch.monitors-file=" + monitors));
        Map<String, String> environment = builder.environment();
        environment.put("SPRING_DATASOURCE_URL", database.jdbcUrl());
        put(environment, "SPRING_DATASOURCE_USERNAME", database.user().orElse(""));
        put(environment, "SPRING_DATASOURCE_PASSWORD", database.password().orElse(""));
        return builder;
    }

    private static void put(Map<String, String> environment, String name, String value) {
        if (value.isEmpty()) {
            environment.remove(name);
        } else {
            environment.put(name, value);
        }
    }
}
