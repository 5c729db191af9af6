package dev.leasehold.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The embedded PostgreSQL server of this JVM, started at the first use and stopped when the JVM ends.
 *
 * <p>The server is durable (fsync and synchronous commit are on), unlike the embedding library's default, so that tests
 * see what production sees. Thread-safe.
 */
public final class TestPostgres {

    private final EmbeddedPostgres server;
    private final Path log;
    private final AtomicInteger databases = new AtomicInteger();

    private TestPostgres() {
        try {
            this.log = Files.createTempFile("leasehold-postgres", ".log");
            log.toFile().deleteOnExit();
            this.server = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("max_connections", "200")
                    .setServerConfig("timezone", "UTC")
                    .setErrorRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .setOutputRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("the embedded PostgreSQL did not start", e);
        }
    }

    /** A new, empty database on the server of this JVM. */
    public static TestDatabase freshDatabase() {
        return TheServer.INSTANCE.create();
    }

    private TestDatabase create() {
        String name = "test_" + ProcessHandle.current().pid() + "_" + databases.incrementAndGet();
        try (var connection = server.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("create database " + name + " strategy file_copy");
        } catch (SQLException e) {
            throw new IllegalStateException("database " + name + " could not be created", e);
        }
        return new TestDatabase(name, server.getPort(), server.getDatabase("postgres", name), log);
    }

    private static final class TheServer {
        static final TestPostgres INSTANCE = new TestPostgres();
    }
}
