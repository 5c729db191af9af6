package dev.leasehold.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One database of the test server. Thread-safe. */
public final class TestDatabase {

    private final String name;
    private final int port;
    private final DataSource dataSource;
    private final Path serverLog;

    TestDatabase(String name, int port, DataSource dataSource, Path serverLog) {
        this.name = name;
        this.port = port;
        this.dataSource = dataSource;
        this.serverLog = serverLog;
    }

    public String name() {
        return name;
    }

    public int port() {
        return port;
    }

    public String user() {
        return "postgres";
    }

    /** A URL that names the user too, so that it is enough by itself. */
    public String jdbcUrl() {
        return "jdbc:postgresql://localhost:" + port + "/" + name + "?user=" + user();
    }

    /** For another process: a source that opens a new connection to that URL each time. */
    public static DataSource dataSource(String jdbcUrl) {
        return new UrlDataSource(jdbcUrl);
    }

    /** A source that opens a new connection each time: no pool. */
    public DataSource dataSource() {
        return dataSource;
    }

    /** As another role of the server, with more of the driver's settings, {@code &a=b&c=d}, or none. */
    public DataSource dataSourceAs(String role, String settings) {
        return new UrlDataSource("jdbc:postgresql://localhost:" + port + "/" + name + "?user=" + role + settings);
    }

    public Connection connect() throws SQLException {
        return dataSource.getConnection();
    }

    /** Runs one statement in a transaction of its own. */
    public void execute(String sql) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of the first row, as the driver's {@code getString} gives it; null for no row or SQL null. */
    public @Nullable String queryForString(String sql) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    /** The first column of the first row; 0 for no row or SQL null. */
    public long queryForLong(String sql) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    /** The lines of the server's log so far; they are of all databases of the server. */
    public List<String> serverLog() {
        try {
            return Files.readAllLines(serverLog);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
