package dev.leasehold.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real PgBouncer in front of one database: by default it pools transactions, and has one connection for all clients. */
public final class PgBouncer implements AutoCloseable {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final TestDatabase database;
    private final int port;
    private final Path folder;
    private final Process process;

    private PgBouncer(TestDatabase database, int port, Path folder, Process process) {
        this.database = database;
        this.port = port;
        this.folder = folder;
        this.process = process;
    }

    /** Where PgBouncer is missing, the end of the test. */
    public static PgBouncer before(TestDatabase database) throws IOException, InterruptedException {
        return before(database, "transaction", 1);
    }

    /** As {@link #before(TestDatabase)}, with another mode of pooling, and that many connections to the server. */
    public static PgBouncer before(TestDatabase database, String mode, int connections)
            throws IOException, InterruptedException {
        Path program = OptionalTool.PGBOUNCER.orSkip();
        Path folder = Files.createTempDirectory("leasehold-pgbouncer");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        int port = FreePort.find();
        Path settings = Files.writeString(folder.resolve("pgbouncer.ini"), """
                [databases]
                %s = host=localhost port=%d user=%s
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = %s
                default_pool_size = %d
                ignore_startup_parameters = extra_float_digits
                """.formatted(
                        database.name(), database.port(), database.user(), port, mode, connections));
        List<String> command = new ArrayList<>(List.of(program.toString()));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("-u", "nobody"));
        }
        command.add(settings.toString());
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        var bouncer = new PgBouncer(database, port, folder, process);
        bouncer.awaitStart();
        return bouncer;
    }

    /** The URL of the database through PgBouncer, with more of the driver's settings, {@code a=b&c=d}. */
    public String jdbcUrl(String settings) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database.name() + "?user=" + database.user() + "&"
                + settings;
    }

    private void awaitStart() throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!accepts()) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                String log = Files.readString(folder.resolve("log"));
                close();
                throw new IllegalStateException("PgBouncer did not start: " + log);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private boolean accepts() {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        for (String file : List.of("pgbouncer.ini", "log", "")) {
            Files.deleteIfExists(folder.resolve(file));
        }
    }
}
