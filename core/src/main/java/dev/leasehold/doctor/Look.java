package dev.leasehold.doctor;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/** One look through one connection: all checks, in one read-only transaction that leaves nothing behind. */
final class Look {

    /** As in {@link DoctorSql#BOUNDS}, for what is asked before the transaction. */
    static final int BOUND_SECONDS = 5;

    private static final List<Check> CHECKS = List.of(
            new LocksOnIdleConnections(),
            new BlockedSessions(),
            new LongTransactions(),
            new HeldBackHorizon(),
            new Connections(),
            new ConnectionsAgainstBudget(),
            new ReadOnlyCheck(),
            new PoolerCheck(),
            new SettingsCheck(),
            new ReplicationCheck(),
            new LeaseTableCheck(),
            new ClockCheck(),
            new HiddenSessions());

    /**
     * Where connections come from, and what is looked for.
     *
     * @param bound of the wait for each answer
     */
    record From(DataSource dataSource, Questions questions, Duration bound) {

        From withNamesEscaped() {
            return new From(dataSource, questions.withNamesEscaped(), bound);
        }
    }

    /** SQLStates of bytes that are no text in an encoding, or have no equivalent in another. */
    private static final Set<String> UNREADABLE = Set.of("22021", "22P05");

    private Look() {}

    /** What is asked of the server in one look. */
    @FunctionalInterface
    interface Question<T> {
        T ask(Sight sight) throws SQLException;
    }

    /**
     * Asks in a transaction of its own.
     *
     * @param localClock of this machine
     */
    static <T> T through(Connection connection, From from, InstantSource localClock, Question<T> question)
            throws SQLException {
        return NetworkBound.within(from.bound(), connection, () -> {
            try {
                return bounded(connection, from, localClock, question);
            } catch (SQLException e) {
                if (!isUnreadable(e)) {
                    throw e;
                }
                return bounded(connection, from.withNamesEscaped(), localClock, question);
            }
        });
    }

    static boolean isUnreadable(SQLException e) {
        return UNREADABLE.contains(String.valueOf(e.getSQLState()));
    }

    private static <T> T bounded(Connection connection, From from, InstantSource localClock, Question<T> question)
            throws SQLException {
        boolean isReadOnly = connection.isReadOnly();
        // changes nothing, and is refused by the driver inside a transaction
        connection.setReadOnly(isReadOnly);
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(true);
        try {
            Beforehand beforehand = Beforehand.look(connection, from);
            connection.setAutoCommit(false);
            // with autocommit the driver may set it for the session instead
            connection.setReadOnly(true);
            return question.ask(sight(connection, from.questions(), beforehand, localClock));
        } finally {
            if (!connection.isClosed()) {
                rollBack(connection);
                connection.setReadOnly(isReadOnly);
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    /** As a statement: for {@code rollback()} the driver prepares one on the server, which stays on a pooler's connection. */
    private static void rollBack(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            try (var statement = connection.createStatement()) {
                statement.execute("rollback");
            }
        }
    }

    static Diagnosis diagnosis(Sight sight) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        for (Check check : CHECKS) {
            findings.addAll(check.look(sight));
        }
        return new Diagnosis(sight.server(), sight.now(), findings);
    }

    private static Sight sight(
            Connection connection, Questions questions, Beforehand beforehand, InstantSource localClock)
            throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(DoctorSql.BOUNDS);
        }
        Instant before = localClock.instant();
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(DoctorSql.withNames(questions.areNamesEscaped(), DoctorSql.SERVER))) {
            Instant after = localClock.instant();
            row.next();
            var server = new Server(
                    row.getString("version"), row.getInt("major"), row.getString("database"), row.getString("role"));
            Instant now = row.getObject("now", OffsetDateTime.class).toInstant();
            var clock = new ClockReading(before, now, after);
            return new Sight(connection, questions, server, now, beforehand, clock, new Kept());
        }
    }
}
