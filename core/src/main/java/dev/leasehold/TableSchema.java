package dev.leasehold;

import dev.leasehold.internal.TableName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Creates a table, or the columns an older one lacks. Looks in the catalog first and sends DDL only when something is
 * missing: even an {@code alter table} with nothing to do would queue behind every open transaction on the table, and
 * everybody else behind it.
 */
final class TableSchema {

    private static final int ATTEMPTS = 12;

    private final TableShape shape;
    private final TableName table;
    private final int attempts;

    TableSchema(TableShape shape, TableName table) {
        this(shape, table, ATTEMPTS);
    }

    /**
     * @param attempts how often the lock of the table is waited for, each time for a second
     */
    TableSchema(TableShape shape, TableName table, int attempts) {
        this.shape = shape;
        this.table = table;
        this.attempts = attempts;
    }

    /** What it is and what it is called, for people. */
    String name() {
        return "the " + shape.kind() + " " + table.quoted();
    }

    /** What a user can do about an error of its statements. */
    String hint(SQLException e) {
        return Hint.of(e, shape);
    }

    /** Creates what is missing, and answers what that was; safe when many instances start at once. */
    String create(Connection connection) throws SQLException {
        for (int attempt = 1; !missing(connection).isEmpty(); attempt++) {
            try {
                return createUnderLock(connection);
            } catch (SQLException e) {
                if (attempt == attempts || !isTemporary(e)) {
                    throw SqlState.LOCK_NOT_AVAILABLE.isIn(e) ? locked(connection, e) : e;
                }
                // Long against the lock's time-out, so that those who queue behind it get their turn.
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(500_000_000L, 1_500_000_000L));
            }
        }
        return "";
    }

    /** Says what is to be ended. */
    private SQLException locked(Connection connection, SQLException e) {
        try (var statement = connection.prepareStatement("""
                select string_agg(distinct l.pid::text, ', ')
                  from pg_locks l
                 where l.relation = to_regclass(?)
                   and l.database = (select oid from pg_database where datname = current_database())
                   and l.granted
                   and l.pid <> pg_backend_pid()
                """)) {
            statement.setString(1, table.quoted());
            try (var rows = statement.executeQuery()) {
                String pids = rows.next() ? rows.getString(1) : null;
                String why = pids == null
                        ? " (another instance is at it, perhaps)"
                        : " (wait for the open transactions that use the table, or end them: server processes " + pids
                                + ")";
                return new SQLException(e.getMessage() + why, e.getSQLState(), e);
            }
        } catch (SQLException unknown) {
            e.addSuppressed(unknown);
            return e;
        }
    }

    /** @throws SQLException naming what is missing */
    void validate(Connection connection) throws SQLException {
        String ddl = missing(connection);
        if (!ddl.isEmpty()) {
            throw new SQLException(name() + " is not complete; it needs:\n" + ddl);
        }
    }

    /** As DDL; empty if nothing is missing. */
    String missing(Connection connection) throws SQLException {
        Set<String> columns = columns(connection);
        if (columns.isEmpty()) {
            return ddl();
        }
        var lacking = new HashSet<>(shape.firstColumns());
        lacking.removeAll(columns);
        if (!lacking.isEmpty()) {
            throw new SQLException("the table " + table.quoted() + " exists but is not a " + shape.kind()
                    + ": it lacks the columns " + lacking.stream().sorted().toList());
        }
        if (!keyIsUnique(connection)) {
            throw new SQLException(
                    "the table " + table.quoted() + " has neither a primary key nor a unique constraint on "
                            + String.join(", ", shape.key()) + ", which a " + shape.kind() + " needs");
        }
        var ddl = new StringBuilder();
        shape.laterColumns().forEach((name, type) -> {
            if (!columns.contains(name)) {
                ddl.append("alter table ").append(table.quoted()).append(" add column if not exists ");
                ddl.append(name).append(' ').append(type).append(";\n");
            }
        });
        if (!ddl.isEmpty()) {
            ddl.append("alter table ").append(table.quoted()).append(" set (fillfactor = ");
            ddl.append(shape.fillfactor()).append(");\n");
        }
        return ddl.toString();
    }

    /** An index that can tell a conflict: of these columns alone, whatever their order. */
    private boolean keyIsUnique(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement("""
                select 1
                  from pg_index i
                 where i.indrelid = to_regclass(?)
                   and i.indnkeyatts = cardinality(?::text[])
                   and i.indisunique
                   and i.indisvalid
                   and i.indimmediate
                   and i.indpred is null
                   and (select count(*)
                          from pg_attribute a
                         where a.attrelid = i.indrelid
                           and a.attnum = any ((i.indkey::int2[])[0:i.indnkeyatts - 1])
                           and a.attname = any (?::text[])) = i.indnkeyatts
                """)) {
            var key = connection.createArrayOf("text", shape.key().toArray());
            statement.setString(1, table.quoted());
            statement.setArray(2, key);
            statement.setArray(3, key);
            try (var rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    private Set<String> columns(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement("""
                select attname
                  from pg_attribute
                 where attrelid = to_regclass(?)
                   and attnum > 0
                   and not attisdropped
                """)) {
            statement.setString(1, table.quoted());
            try (var rows = statement.executeQuery()) {
                var columns = new HashSet<String>();
                while (rows.next()) {
                    columns.add(rows.getString(1));
                }
                return columns;
            }
        }
    }

    /** Looks again once the lock is held: who came first may have done it all. */
    private String createUnderLock(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            try {
                statement.execute("begin isolation level read committed read write");
                statement.execute("set local lock_timeout = '1s'");
                statement.execute("select pg_advisory_xact_lock(hashtextextended('leasehold schema', 0))");
                String ddl = missing(connection);
                if (!ddl.isEmpty()) {
                    statement.execute(ddl);
                }
                statement.execute("commit");
                return ddl;
            } catch (SQLException e) {
                rollBack(statement);
                throw e;
            }
        }
    }

    private static void rollBack(Statement statement) {
        try {
            statement.execute("rollback");
        } catch (SQLException ignored) {
            // The connection is gone, and the transaction with it.
        }
    }

    /** Others hold the lock, or created the same table outside of it. */
    private static boolean isTemporary(SQLException e) {
        return SqlState.LOCK_NOT_AVAILABLE.isIn(e)
                || SqlState.DUPLICATE_TABLE.isIn(e)
                || SqlState.UNIQUE_VIOLATION.isIn(e);
    }

    /** What creates the whole table. */
    String ddl() {
        try (InputStream in = Objects.requireNonNull(TableSchema.class.getResourceAsStream(shape.ddl()))) {
            var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return NamedSql.of(text, shape.name(), table).jdbc();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
