package dev.leasehold.launcher;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Arrays;
import java.util.Properties;

/**
 * A node for tests of the launcher: ready at once, and at its end it uses the database once more, as a node does that
 * releases its leases. It notes what came of that in a file of the folder {@code STAND_IN_NOTES}.
 */
final class StandInNode {

    private StandInNode() {}

    @SuppressWarnings("SystemOut") // the launcher relays it
    public static void main(String[] args) throws Exception {
        String name = option(args, "--watch.node=");
        if (name.equals(System.getenv("STAND_IN_FAILS"))) {
            System.out.println("the reason why " + name + " can't start");
            System.exit(3);
        }
        int port = Integer.parseInt(option(args, "--server.port="));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> note(name, useDatabaseOnceMore()), "end"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/health/ready", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        if (name.equals(System.getenv("STAND_IN_EXHAUSTS_MEMORY"))) {
            new Thread(StandInNode::exhaustMemory, "exhausting").start();
        }
        System.out.println("up with "
                + Files.readString(Path.of(option(args, "--watch.monitors-file=")))
                        .length() + " characters of monitors");
    }

    /** Ends this thread only, and the others go on, unless the JVM is told otherwise. */
    @SuppressWarnings("SystemOut")
    private static void exhaustMemory() {
        System.out.println("room for " + new byte[1 << 30].length + " bytes");
    }

    private static String option(String[] args, String name) {
        return Arrays.stream(args)
                .filter(arg -> arg.startsWith(name))
                .map(arg -> arg.substring(name.length()))
                .findFirst()
                .orElseThrow();
    }

    /** Takes its time over it: a round runs to its end. */
    private static String useDatabaseOnceMore() {
        Properties properties = new Properties();
        properties.setProperty("user", System.getenv("SPRING_DATASOURCE_USERNAME"));
        try (var connection = DriverManager.getConnection(System.getenv("SPRING_DATASOURCE_URL"), properties);
                var statement = connection.createStatement()) {
            statement.execute("select pg_sleep(1)");
            return "released";
        } catch (Exception e) {
            return e.toString();
        }
    }

    @SuppressWarnings("SystemOut")
    private static void note(String name, String text) {
        try {
            System.out.println("the last words of " + name);
            Files.writeString(Path.of(System.getenv("STAND_IN_NOTES"), name), text);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
