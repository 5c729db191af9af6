package dev.leasehold;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A transaction of the library's own around the work of a caller: rolled back at its close unless it was committed. */
final class FencedTransaction implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(FencedTransaction.class);

    /** The server ends a commit that takes longer than a ttl; a server that does not answer at all is waited for as long. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

    private final Connection connection;
    private final FenceTable table;
    private final LeaseKey key;
    private final Duration ttl;
    private final Duration bound;
    private final boolean wasAutoCommit;
    private boolean isOpen = true;

    /** A failure of the transaction itself, and not of the work. */
    static final class Failure extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final String operation;
        private final SQLException sqlException;

        Failure(String operation, SQLException sqlException) {
            super(sqlException);
            this.operation = operation;
            this.sqlException = sqlException;
        }

        String operation() {
            return operation;
        }

        SQLException sqlException() {
            return sqlException;
        }
    }

    private FencedTransaction(
            Connection connection, boolean wasAutoCommit, FenceTable table, LeaseKey key, Duration ttl) {
        this.connection = connection;
        this.wasAutoCommit = wasAutoCommit;
        this.table = table;
        this.key = key;
        this.ttl = ttl;
        this.bound = ttl.compareTo(LONGEST_WAIT) < 0 ? ttl : LONGEST_WAIT;
    }

    static FencedTransaction begin(DataSource source, FenceTable table, LeaseKey key, Duration ttl) {
        try {
            Connection connection = source.getConnection();
            try {
                OwnTransaction.refuseForeignTransaction(connection);
            } catch (Throwable thrown) {
                connection.close();
                throw thrown;
            }
            var transaction = new FencedTransaction(connection, connection.getAutoCommit(), table, key, ttl);
            try {
                connection.setAutoCommit(false);
                return SocketBound.within(transaction.bound, connection, () -> {
                    table.begin(connection, key, ttl);
                    return transaction;
                });
            } catch (Throwable thrown) {
                transaction.close();
                throw thrown;
            }
        } catch (SQLException e) {
            throw new Failure("begun", e);
        }
    }

    Connection connection() {
        return connection;
    }

    /** What the work has left behind. */
    FenceTable.End end() {
        try {
            return connection.getAutoCommit()
                    ? new FenceTable.End(false, false)
                    : SocketBound.within(bound, connection, () -> table.end(connection, key, ttl));
        } catch (SQLException e) {
            throw new Failure("ended", e);
        }
    }

    void commit() {
        try {
            isOpen = SocketBound.within(bound, connection, () -> {
                connection.commit();
                return false;
            });
        } catch (SQLException e) {
            String operation = SqlState.isServerAnswer(e) ? "committed" : "committed for sure";
            throw new Failure(operation, e);
        }
    }

    @Override
    public void close() {
        try (connection) {
            if (isOpen) {
                boolean unused = SocketBound.within(bound, connection, () -> {
                    connection.rollback();
                    return true;
                });
            }
            connection.setAutoCommit(wasAutoCommit);
        } catch (SQLException e) {
            log.debug("the connection of a fenced transaction failed at its end", e);
        }
    }
}
