package dev.leasehold.spring.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Borrows a connection as any request would, and asks the server whether it accepts writes. One call at a time. */
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
    private volatile boolean borrowing;

    DatabaseProbe(DataSource dataSource, PoolGauge pool, Duration bound) {
        this.dataSource = dataSource;
        this.pool = pool;
        this.bound = bound;
    }

    /** A connection that comes late is given back all the same. */
    Answer ask() throws SQLException {
        borrowing = true;
        try (var connection = dataSource.getConnection()) {
            borrowing = false;
            int before = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(bound.toMillis()));
            Answer answer = answer(connection);
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            connection.setNetworkTimeout(Runnable::run, before);
            if (answer != Answer.WRITABLE) {
                // A new one may lead to a server that accepts writes: this one never will after a switchover.
                pool.drop(connection);
            }
            return answer;
        } finally {
            borrowing = false;
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

    /** Whether the call under way has no connection yet. */
    boolean isBorrowing() {
        return borrowing;
    }
}
