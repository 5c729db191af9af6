package dev.leasehold;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Creates the lease table, or the columns an older one lacks. Looks in the catalog first and sends DDL only when something
 * is missing: even an {@code alter table} with nothing to do would queue behind every open transaction on the table, and
 * everybody else behind it.
 */
final class LeaseSchema {

    private static final int ATTEMPTS = 12;

    /** The first four columns are the oldest form of the table; the others can be added to it. */
    private static final Set<String> ORIGINAL_COLUMNS = Set.of("name", "holder", "taken_at", "expires_at");

    private static final Map<String, String> LATER_COLUMNS = laterColumns();

    private final TableName table;

    LeaseSchema(TableName table) {
        this.table = table;
    }

    private static Map<String, String> laterColumns() {
        var columns = new LinkedHashMap<String, String>();
        columns.put("fence", "bigint not null default (extract(epoch from clock_timestamp()) * 1000000)::bigint");
        columns.put("done_slot", "timestamptz");
        columns.put("deaths", "int not null default 0");
        columns.put("pause_reason", "text");
        return columns;
    }

    /** Creates what is missing; safe when many instances start at once. */
    void create(Connection connection) throws SQLException {
        for (int attempt = 1; !missing(connection).isEmpty(); attempt++) {
            try {
                createUnderLock(connection);
                return;
            } catch (SQLException e) {
                if (attempt == ATTEMPTS || !isTemporary(e)) {
                    throw e;
                }
                // Long against the lock's time-out, so that those who queue behind it get their turn.
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(500_000_000L, 1_500_000_000L));
            }
        }
    }

    /** @throws SQLException naming what is missing */
    void validate(Connection connection) throws SQLException {
        String ddl = missing(connection);
        if (!ddl.isEmpty()) {
            throw new SQLException("the lease table " + table.quoted() + " is not complete; it needs:\n" + ddl);
        }
    }

    private String missing(Connection connection) throws SQLException {
        Set<String> columns = columns(connection);
        if (columns.isEmpty()) {
            return NamedSql.of(schemaSql(), table).jdbc();
        }
        var lacking = new HashSet<>(ORIGINAL_COLUMNS);
        lacking.removeAll(columns);
        if (!lacking.isEmpty()) {
            throw new SQLException(
                    "the table " + table.quoted() + " exists but is not a lease table: it lacks the columns "
                            + lacking.stream().sorted().toList());
        }
        if (!nameIsUnique(connection)) {
            throw new SQLException("the table " + table.quoted()
                    + " has neither a primary key nor a unique constraint on name, which leases rely on");
        }
        var ddl = new StringBuilder();
        LATER_COLUMNS.forEach((name, type) -> {
            if (!columns.contains(name)) {
                ddl.append("alter table ").append(table.quoted()).append(" add column if not exists ");
                ddl.append(name).append(' ').append(type).append(";\n");
            }
        });
        if (!ddl.isEmpty()) {
            ddl.append("alter table ").append(table.quoted()).append(" set (fillfactor = 50);\n");
        }
        return ddl.toString();
    }

    private boolean nameIsUnique(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement("""
                select 1
                  from pg_index i
                  join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
                 where i.indrelid = to_regclass(?)
                   and i.indnkeyatts = 1
                   and i.indisunique
                   and i.indisvalid
                   and i.indpred is null
                   and a.attname = 'name'
                """)) {
            statement.setString(1, table.quoted());
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
    private void createUnderLock(Connection connection) throws SQLException {
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

    private static String schemaSql() {
        try (InputStream in = Objects.requireNonNull(LeaseSchema.class.getResourceAsStream("schema.sql"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
