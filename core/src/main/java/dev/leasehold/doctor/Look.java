package dev.leasehold.doctor;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/** One look through one connection: all checks, in one read-only transaction that leaves nothing behind. */
final class Look {

    private static final String ACTIVE_TRANSACTION = "25001";

    private static final List<Check> CHECKS = List.of(
            new LocksOnIdleConnections(),
            new BlockedSessions(),
            new LongTransactions(),
            new HeldBackHorizon(),
            new Connections(),
            new ConnectionsAgainstBudget(),
            new HiddenSessions());

    private Look() {}

    /** What is asked of the server in one look. */
    @FunctionalInterface
    interface Question<T> {
        T ask(Sight sight) throws SQLException;
    }

    static Diagnosis through(Connection connection, Questions questions) throws SQLException {
        return through(connection, questions, Look::diagnosis);
    }

    static <T> T through(Connection connection, Questions questions, Question<T> question) throws SQLException {
        boolean isReadOnly = connection.isReadOnly();
        readOnly(connection, true);
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try {
            return question.ask(inTransaction(connection, questions));
        } finally {
            if (!connection.isClosed()) {
                connection.rollback();
                connection.setAutoCommit(autoCommit);
                connection.setReadOnly(isReadOnly);
            }
        }
    }

    /** The driver refuses it inside a transaction. */
    private static void readOnly(Connection connection, boolean isReadOnly) throws SQLException {
        try {
            connection.setReadOnly(isReadOnly);
        } catch (SQLException e) {
            if (ACTIVE_TRANSACTION.equals(e.getSQLState())) {
                throw new SQLException(
                        "the DataSource handed out a connection that is in a transaction already; give the doctor the"
                                + " DataSource below the proxy that joins transactions",
                        e.getSQLState(),
                        e);
            }
            throw e;
        }
    }

    private static Sight inTransaction(Connection connection, Questions questions) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(DoctorSql.BOUNDS);
        }
        return sight(connection, questions);
    }

    private static Diagnosis diagnosis(Sight sight) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        for (Check check : CHECKS) {
            findings.addAll(check.look(sight));
        }
        return new Diagnosis(sight.server(), sight.now(), findings);
    }

    private static Sight sight(Connection connection, Questions questions) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(DoctorSql.SERVER)) {
            row.next();
            var server = new Server(
                    row.getString("version"), row.getInt("major"), row.getString("database"), row.getString("role"));
            Instant now = row.getObject("now", OffsetDateTime.class).toInstant();
            return new Sight(connection, questions, server, now);
        }
    }
}
