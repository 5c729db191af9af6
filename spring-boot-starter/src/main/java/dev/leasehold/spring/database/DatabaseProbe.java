package dev.leasehold.spring.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * Borrows a connection as any request would, and asks the server whether it accepts writes; one that is no PostgreSQL whether
 * it answers. Thread-safe.
 */
final class DatabaseProbe {

    private static final String WHETHER_READ_ONLY = """
            select current_setting('transaction_read_only') = 'on' as is_read_only,
                   pg_is_in_recovery() as is_standby
            """;

    /** What the server said. */
    enum Answer {
        WRITABLE,
        READ_ONLY,
        STANDBY
    }

    private final DataSource dataSource;
    private final PoolGauge pool;
    private final Duration bound;
    /** Of the latest call: one that was given up may still run beside it. */
    private volatile AtomicBoolean connected = new AtomicBoolean();

    DatabaseProbe(DataSource dataSource, PoolGauge pool, Duration bound) {
        this.dataSource = dataSource;
        this.pool = pool;
        this.bound = bound;
    }

    /** The next call, which is the latest from now on. A connection that comes late is given back all the same. */
    Callable<Answer> next() {
        var withConnection = new AtomicBoolean();
        connected = withConnection;
        return () -> ask(withConnection);
    }

    private Answer ask(AtomicBoolean withConnection) throws SQLException {
        try (var connection = borrowed()) {
            withConnection.set(true);
            Answer answer = isPostgres(connection) ? answerWithin(connection) : alive(connection);
            if (answer != Answer.WRITABLE) {
                // A new one may lead to a server that accepts writes: this one never will after a switchover.
                pool.drop(connection);
            }
            return answer;
        }
    }

    private static boolean isPostgres(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
    }

    /** Of another product no more is asked than whether it answers: each says in words of its own that it accepts no writes. */
    private Answer alive(Connection connection) throws SQLException {
        if (!connection.isValid(Math.toIntExact(bound.toSeconds() + 1))) {
            throw new SQLNonTransientConnectionException("it does not answer", "08006");
        }
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        return Answer.WRITABLE;
    }

    private Connection borrowed() throws NoConnectionException {
        try {
            return dataSource.getConnection();
        } catch (SQLException e) {
            throw new NoConnectionException(e);
        }
    }

    /** The source gave none, for the reason that is its cause. */
    static final class NoConnectionException extends SQLException {

        private static final long serialVersionUID = 1L;

        NoConnectionException(SQLException cause) {
            super("no connection", cause);
        }
    }

    /** Some pools give back a connection as it is: it leaves as it came, also when the question fails. */
    private Answer answerWithin(Connection connection) throws SQLException {
        int before = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(bound.toMillis()));
        Answer answer;
        try {
            answer = answer(connection);
        } catch (SQLException | RuntimeException e) {
            try {
                tidy(connection, before);
            } catch (SQLException | RuntimeException untidy) {
                e.addSuppressed(untidy);
            }
            throw e;
        }
        tidy(connection, before);
        return answer;
    }

    private static void tidy(Connection connection, int networkTimeoutMillis) throws SQLException {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        } finally {
            connection.setNetworkTimeout(Runnable::run, networkTimeoutMillis);
        }
    }

    /** Whoever has made the connection read-only means it. */
    private static Answer answer(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(WHETHER_READ_ONLY)) {
            rows.next();
            if (rows.getBoolean("is_standby")) {
                return Answer.STANDBY;
            }
            return rows.getBoolean("is_read_only") && !connection.isReadOnly() ? Answer.READ_ONLY : Answer.WRITABLE;
        }
    }

    /** Whether the latest call has come by a connection, also if it has ended since; one that has not begun has none. */
    boolean isConnected() {
        return connected.get();
    }
}
