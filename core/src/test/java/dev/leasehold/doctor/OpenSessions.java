package dev.leasehold.doctor;

import dev.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sessions of a test under one application name, which stay open until it ends. */
final class OpenSessions implements AutoCloseable {

    private final TestDatabase database;
    private final String application;
    private final String role;
    private final List<Connection> open = new ArrayList<>();

    OpenSessions(TestDatabase database, String application) {
        this(database, application, database.user());
    }

    OpenSessions(TestDatabase database, String application, String role) {
        this.database = database;
        this.application = application;
        this.role = role;
    }

    /** Opens one, and runs those statements in it; {@code begin} and {@code commit} are statements like others. */
    int run(String... statements) throws SQLException {
        Connection connection =
                database.dataSourceAs(role, "&ApplicationName=" + application).getConnection();
        open.add(connection);
        execute(connection, statements);
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        }
    }

    void open(int count) throws SQLException {
        for (int i = 0; i < count; i++) {
            run();
        }
    }

    /** Goes on in the last one that was opened, and does not wait for its end, which is that of the test. */
    void goOn(String statement) {
        Connection connection = open.get(open.size() - 1);
        var unused = CompletableFuture.runAsync(
                () -> {
                    try {
                        execute(connection, statement);
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                },
                task -> new Thread(task, "waits").start());
    }

    private static void execute(Connection connection, String... statements) throws SQLException {
        for (String sql : statements) {
            try (var statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        database.execute("select pg_terminate_backend(pid) from pg_stat_activity where application_name = '"
                + application + "'");
        for (Connection connection : open) {
            connection.close();
        }
    }
}
