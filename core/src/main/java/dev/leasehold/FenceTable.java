package dev.leasehold;

import dev.leasehold.internal.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The lease table as it is asked inside a transaction of the caller, on the caller's connection and thread. Thread-safe. */
final class FenceTable {

    private final NamedSql begin;
    private final NamedSql end;
    private final NamedSql fence;
    private final NamedSql finish;

    FenceTable(TableName table) {
        this.begin = NamedSql.of(LeaseSql.FENCED_BEGIN, table);
        this.end = NamedSql.of(LeaseSql.FENCED_END, table);
        this.fence = bounded(LeaseSql.FENCE, table);
        this.finish = bounded(LeaseSql.FINISH, table);
    }

    private static NamedSql bounded(String statement, TableName table) {
        return NamedSql.of(String.join(";\n", LeaseSql.BOUND_LOCK_WAIT, statement, LeaseSql.UNBOUND_LOCK_WAIT), table);
    }

    /** Begins a transaction at read committed and read write, whatever the defaults; autocommit is off already. */
    void begin(Connection connection, LeaseKey key, Duration ttl) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("set transaction isolation level read committed read write");
        }
        try (var statement = begin.prepare(connection, Map.of("holder", key.holder(), "ttl", Statements.millis(ttl)))) {
            statement.execute();
        }
    }

    /** A fenced transaction just before its end. */
    record End(boolean isSame, boolean isFinished) {}

    /** Whether it is still the one that was begun, and whether it finished the lease; it has a ttl to end from now on. */
    End end(Connection connection, LeaseKey key, Duration ttl) throws SQLException {
        try (var statement = end.prepare(connection, Map.of("holder", key.holder(), "ttl", Statements.millis(ttl)));
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return new End(rows.getBoolean("is_same"), rows.getBoolean("is_finished"));
        }
    }

    /** Whether the row is the lease's, which nobody can change now before the end of the transaction. */
    boolean fence(Connection connection, LeaseKey key, Duration lockWait) throws SQLException {
        return hasRow(connection, fence, parameters(key, lockWait));
    }

    /** Whether the row was the lease's, and is released once the transaction is committed. */
    boolean finish(Connection connection, LeaseKey key, Optional<Instant> slot, Duration lockWait) throws SQLException {
        var parameters = parameters(key, lockWait);
        parameters.put("slot", slot.map(Instant::toString).orElse(""));
        return hasRow(connection, finish, parameters);
    }

    private static Map<String, Object> parameters(LeaseKey key, Duration lockWait) {
        return new HashMap<>(Map.of(
                "name",
                key.name(),
                "holder",
                key.holder(),
                "fence",
                key.fence(),
                "lock_timeout",
                Statements.millis(lockWait)));
    }

    private static boolean hasRow(Connection connection, NamedSql sql, Map<String, ?> parameters) throws SQLException {
        try (PreparedStatement statement = sql.prepare(connection, parameters)) {
            statement.execute();
            statement.getMoreResults();
            try (ResultSet rows = statement.getResultSet()) {
                return rows.next();
            }
        }
    }
}
