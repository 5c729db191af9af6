package dev.leasehold;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs one statement in a short transaction of its own, at read committed and read write, whatever the pool and the role
 * have as their defaults. Never joins, commits or rolls back a transaction that somebody else began. Thread-safe.
 */
final class OwnTransaction {

    private static final String BEGIN = "begin isolation level read committed read write;\n";
    private static final String BEGIN_TO_READ = "begin isolation level read committed read only;\n";
    private static final String COMMIT = ";\ncommit";

    /** Whether the transaction is begun and committed by SQL; null until the defaults were read. */
    private volatile @Nullable Boolean explicit;

    /** Reads the answer of a statement. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ResultSet rows) throws SQLException;
    }

    /**
     * @param mayBeSent asked just before the statement is sent; if it says no, nothing is sent
     * @throws SQLException also if the connection is in a transaction already
     */
    <T> T run(
            Connection connection,
            NamedSql sql,
            Map<String, ?> parameters,
            Reader<T> reader,
            Predicate<PreparedStatement> mayBeSent)
            throws SQLException {
        var answer = new AtomicReference<@Nullable T>();
        outsideTransactions(
                connection, () -> answer.set(withDefaultsOverruled(connection, sql, parameters, reader, mayBeSent)));
        return Objects.requireNonNull(answer.get());
    }

    /** As {@link #run}, of a statement that only reads: a standby answers it too. */
    static <T> T read(
            Connection connection,
            NamedSql sql,
            Map<String, ?> parameters,
            Reader<T> reader,
            Predicate<PreparedStatement> mayBeSent)
            throws SQLException {
        var answer = new AtomicReference<@Nullable T>();
        String text = BEGIN_TO_READ + sql.jdbc() + COMMIT;
        outsideTransactions(connection, () -> answer.set(send(connection, text, sql, parameters, reader, mayBeSent)));
        return Objects.requireNonNull(answer.get());
    }

    /** What is done on a connection that no transaction is open on, with autocommit on. */
    @FunctionalInterface
    interface Work {
        void run() throws SQLException;
    }

    /** Runs the work with autocommit on, and leaves autocommit as it was. */
    static void outsideTransactions(Connection connection, Work work) throws SQLException {
        refuseForeignTransaction(connection);
        boolean autoCommit = connection.getAutoCommit();
        if (!autoCommit) {
            // The driver has just told that no transaction is open, so this commits nothing of anybody's.
            connection.setAutoCommit(true);
        }
        try {
            work.run();
        } finally {
            if (!autoCommit && !connection.isClosed()) {
                connection.setAutoCommit(false);
            }
        }
    }

    /** Setting read-only to what it is changes nothing, but the driver refuses it inside a transaction: 25001. */
    static void refuseForeignTransaction(Connection connection) throws SQLException {
        try {
            connection.setReadOnly(connection.isReadOnly());
        } catch (SQLException e) {
            if (SqlState.ACTIVE_TRANSACTION.isIn(e)) {
                throw new SQLException(
                        "the DataSource handed out a connection that is in a transaction already; leases need one of"
                                + " their own, so give them the DataSource below the proxy that joins transactions",
                        e.getSQLState(),
                        e);
            }
            throw e;
        }
    }

    private <T> T withDefaultsOverruled(
            Connection connection,
            NamedSql sql,
            Map<String, ?> parameters,
            Reader<T> reader,
            Predicate<PreparedStatement> mayBeSent)
            throws SQLException {
        if (explicit == null) {
            explicit = defaultsDiffer(connection);
        }
        if (Boolean.TRUE.equals(explicit)) {
            return sendExplicitly(connection, sql, parameters, reader, mayBeSent);
        }
        try {
            return send(connection, sql.jdbc(), sql, parameters, reader, mayBeSent);
        } catch (SQLException e) {
            if (SqlState.SERIALIZATION_FAILURE.isIn(e) || SqlState.READ_ONLY_TRANSACTION.isIn(e)) {
                // The defaults have changed since they were read.
                T answer = sendExplicitly(connection, sql, parameters, reader, mayBeSent);
                explicit = true;
                return answer;
            }
            throw e;
        }
    }

    private <T> T sendExplicitly(
            Connection connection,
            NamedSql sql,
            Map<String, ?> parameters,
            Reader<T> reader,
            Predicate<PreparedStatement> mayBeSent)
            throws SQLException {
        try {
            return send(connection, BEGIN + sql.jdbc() + COMMIT, sql, parameters, reader, mayBeSent);
        } catch (SQLException e) {
            if (SqlState.FEATURE_NOT_SUPPORTED.isIn(e)) {
                explicit = null; // what was read of a standby says nothing of the primary
                drop(connection);
            }
            throw e;
        }
    }

    /**
     * Of a server in recovery, a standby, no transaction can be made read write. A pool would go on lending the connection, though new
     * ones may lead to the primary; one that is closed it throws away.
     */
    private static void drop(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException ignored) {
            // The pool has thrown it away by itself.
        }
    }

    private static boolean defaultsDiffer(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("select current_setting('transaction_isolation') <> 'read committed'"
                        + " or current_setting('transaction_read_only') <> 'off'")) {
            rows.next();
            return rows.getBoolean(1);
        }
    }

    private static <T> T send(
            Connection connection,
            String text,
            NamedSql sql,
            Map<String, ?> parameters,
            Reader<T> reader,
            Predicate<PreparedStatement> mayBeSent)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            sql.bind(connection, statement, parameters);
            if (!mayBeSent.test(statement)) {
                throw new SQLException("given up before it was sent");
            }
            boolean isRows = statement.execute();
            while (!isRows && statement.getUpdateCount() != -1) {
                isRows = statement.getMoreResults();
            }
            try (ResultSet rows = statement.getResultSet()) {
                return reader.read(rows);
            }
        } catch (SQLException e) {
            endFailedTransaction(connection, text);
            throw e;
        }
    }

    private static void endFailedTransaction(Connection connection, String text) {
        if (text.endsWith(COMMIT)) {
            try (var statement = connection.createStatement()) {
                statement.execute("rollback");
            } catch (SQLException ignored) {
                // The connection is gone, and the transaction with it; the first failure is what gets reported.
            }
        }
    }
}
