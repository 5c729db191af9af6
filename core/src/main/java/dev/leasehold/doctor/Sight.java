package dev.leasehold.doctor;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The server during one look: a session in a read-only transaction.
 *
 * @param now by the database's clock
 * @param beforehand what was read before the transaction began
 * @param kept what was asked for already
 */
record Sight(
        Connection connection,
        Questions questions,
        Server server,
        Instant now,
        Beforehand beforehand,
        ClockReading clock,
        Kept kept) {

    /** Everybody, as of one instant. */
    List<Session> sessions() throws SQLException {
        return kept.sessions(this);
    }

    /** Those that are held, by whomever else. */
    List<AdvisoryLock> advisoryLocks() throws SQLException {
        return kept.advisoryLocks(this);
    }

    /** What keys of advisory locks stand for. */
    KeyNames keyNames() throws SQLException {
        return kept.keyNames(this);
    }

    /** The settings of the session as they were before the look set its own, by name. */
    Map<String, Setting> settings() {
        return beforehand.settings();
    }

    Pooling pooling() {
        return beforehand.pooling();
    }

    /** The transaction goes on as if what failed had not been asked; it cannot if the connection is gone. */
    void goOnFrom(Savepoint before, SQLException failed) throws SQLException {
        if (Look.isUnreadable(failed) && !questions.areNamesEscaped()) {
            throw failed;
        }
        try {
            connection.rollback(before);
        } catch (SQLException e) {
            failed.addSuppressed(e);
            throw failed;
        }
    }

    /** Reads one row. */
    @FunctionalInterface
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** All rows that the statement answers; {@code parameters} in the order of its question marks. */
    <T> List<T> rows(String sql, RowReader<T> reader, Object... parameters) throws SQLException {
        try (var statement = connection.prepareStatement(DoctorSql.withNames(questions.areNamesEscaped(), sql))) {
            PgDriver.neverPrepare(statement);
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                List<T> read = new ArrayList<>();
                while (rows.next()) {
                    read.add(reader.read(rows));
                }
                return read;
            }
        }
    }
}
