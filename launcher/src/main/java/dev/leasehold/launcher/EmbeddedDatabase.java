package dev.leasehold.launcher;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A real PostgreSQL of our own, on loopback only, durable, its data kept between runs.
 *
 * <p>The server is started by pg_ctl, which puts it into a session of its own: Ctrl-C in the terminal does not reach it,
 * and it lives until {@link #end()}, after the nodes have released their leases.
 */
final class EmbeddedDatabase implements Part {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String NAME = "leasehold";

    private final EmbeddedPostgres server;
    private final Path dataDirectory;
    private final PostmasterWatch watch;

    private EmbeddedDatabase(EmbeddedPostgres server, Path dataDirectory, PostmasterWatch watch) {
        this.server = server;
        this.dataDirectory = dataDirectory;
        this.watch = watch;
    }

    static EmbeddedDatabase start(DataFolder data, int maxConnections, Console console) throws Exception {
        DataDirectory directory = new DataDirectory(data, console);
        directory.prepare();
        removeHalfUnpackedBinaries(data.postgresBinaries());
        Path log = data.freshLog("postgres");
        FailedStartWatch failed = FailedStartWatch.over(log);
        try {
            EmbeddedPostgres server =
                    configured(data, directory, maxConnections, log).start();
            createDatabase(server);
            Postmaster running = Postmaster.runningOn(data.postgres()).orElseThrow();
            return new EmbeddedDatabase(server, data.postgres(), PostmasterWatch.over(running, log, console));
        } catch (IOException | RuntimeException | SQLException | ExceptionInInitializerError e) {
            boolean unused = Thread.interrupted(); // it has done its work: the start is given up
            awaitCommands();
            stopServer(data.postgres());
            throw failure(log, e);
        } finally {
            failed.end();
        }
    }

    DatabaseUrl url() {
        return DatabaseUrl.parse("postgresql://postgres@127.0.0.1:" + server.getPort() + "/" + NAME);
    }

    @Override
    public void end() throws IOException, InterruptedException {
        watch.end();
        Optional<Postmaster> running = Postmaster.runningOn(dataDirectory);
        server.close(); // comes back when the server's files are in order or five seconds have passed
        if (running.isPresent()) {
            running.get().stop(PATIENCE);
        }
    }

    private static EmbeddedPostgres.Builder configured(
            DataFolder data, DataDirectory directory, int maxConnections, Path log) {
        // the library keeps its binaries there, and clears only there what it takes for old
        System.setProperty("ot.epg.working-dir", data.postgresBinaries().toString());
        return EmbeddedPostgres.builder()
                .setDataDirectory(data.postgres())
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setDataDirectoryCustomizer(created -> markCreated(directory))
                .setPGStartupWait(PATIENCE)
                .setLocaleConfig("locale", "C")
                .setLocaleConfig("locale-provider", "builtin")
                .setLocaleConfig("builtin-locale", "C.UTF-8")
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setServerConfig("unix_socket_directories", "")
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("max_connections", Integer.toString(maxConnections))
                .setErrorRedirector(Redirect.appendTo(log.toFile()))
                .setOutputRedirector(Redirect.appendTo(log.toFile()));
    }

    private static void markCreated(DataDirectory directory) {
        try {
            directory.created();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The library would trip over a file that is there already, on every start to come. */
    private static void removeHalfUnpackedBinaries(Path binaries) throws IOException {
        if (!Files.isDirectory(binaries)) {
            return;
        }
        try (var unpacked = Files.newDirectoryStream(binaries, "PG-*")) {
            for (Path folder : unpacked) {
                if (!Files.exists(folder.resolve(".exists"))) {
                    FileTree.delete(folder);
                }
            }
        }
    }

    private static void createDatabase(EmbeddedPostgres server) throws SQLException {
        try (var connection = server.getPostgresDatabase().getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select 1 from pg_database where datname = '" + NAME + "'")) {
            if (!rows.next()) {
                statement.execute("create database " + NAME);
            }
        }
    }

    /** An initdb or pg_ctl that the library no longer waits for would go on after us. */
    private static void awaitCommands() throws InterruptedException {
        for (ProcessHandle command : ProcessHandle.current().children().toList()) {
            try {
                command.onExit().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                command.destroyForcibly();
            }
        }
    }

    private static void stopServer(Path dataDirectory) throws IOException, InterruptedException {
        Optional<Postmaster> running = Postmaster.runningOn(dataDirectory);
        if (running.isPresent()) {
            running.get().stop(PATIENCE);
        }
    }

    private static LaunchException failure(Path log, Throwable e) throws IOException {
        List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
        String reason = lines.stream()
                .filter(line -> line.contains("FATAL") || line.contains("error:"))
                .reduce((first, last) -> last)
                .map(line -> line.substring(Math.max(0, line.indexOf("FATAL"))))
                .orElse(String.valueOf(e.getMessage()));
        return LaunchException.failure(
                "the embedded PostgreSQL did not start: " + reason.strip() + " (more in " + log + ")");
    }
}
