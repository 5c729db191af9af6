package dev.leasehold.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A running PostgreSQL server, durable (fsync and synchronous commit are on) unlike the embedding library's default, so
 * that tests see what production sees. Thread-safe.
 */
public final class TestServer implements AutoCloseable {

    private static final Duration LONGEST_START = Duration.ofMinutes(1);

    private final PostgresVersion version;
    private final EmbeddedPostgres server;
    private final Path log;
    private final ServerFiles files;
    private final AtomicInteger databases = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();

    private TestServer(PostgresVersion version, Map<String, String> settings) throws IOException {
        this.version = version;
        this.log = Files.createTempFile("leasehold-postgres", ".log");
        log.toFile().deleteOnExit();
        this.files = new ServerFiles(Files.createTempDirectory("leasehold-postgres"), log);
        var builder = EmbeddedPostgres.builder()
                .setDataDirectory(files.data())
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(LONGEST_START)
                .setPort(FreePort.find())
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("max_connections", "200")
                .setServerConfig("timezone", "UTC")
                .setErrorRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .setOutputRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()));
        version.binaries().ifPresent(builder::setPgBinaryResolver);
        settings.forEach(builder::setServerConfig);
        this.server = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "test-server-end"));
    }

    /** Starts a server of the test's own, with settings added to those above. */
    public static TestServer start(Map<String, String> settings) {
        return start(PostgresVersion.NEWEST, settings);
    }

    /** As {@link #start(Map)}, of that version. */
    public static TestServer start(PostgresVersion version, Map<String, String> settings) {
        try {
            return new TestServer(version, settings);
        } catch (IOException e) {
            throw new UncheckedIOException("the embedded PostgreSQL did not start", e);
        }
    }

    /** A new, empty database. */
    public TestDatabase freshDatabase() {
        String name = "test_" + ProcessHandle.current().pid() + "_" + databases.incrementAndGet();
        try (var connection = server.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("create database " + name + version.createDatabaseOptions());
        } catch (SQLException e) {
            throw new IllegalStateException("database " + name + " could not be created", e);
        }
        return new TestDatabase(name, server.getPort(), server.getDatabase("postgres", name), log);
    }

    /** Ends at once, as in a power cut: nothing is written that was not on disk, and no client is told. */
    public void crash() {
        files.control("stop", "-m", "immediate");
    }

    /** Ends in order: clients are cut off, everything committed is on disk. */
    public void stop() {
        files.control("stop", "-m", "fast");
    }

    /** After {@link #crash()} or {@link #stop()}: runs again on the same data and port, with the same settings. */
    public void startAgain() {
        // restart reads the settings of the last start; start would not
        files.control("restart");
    }

    /** Ends the server, whatever it was doing, and deletes its data. A second call does nothing. */
    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            if (files.isInUse()) {
                crash();
            }
            files.delete();
        }
    }
}
