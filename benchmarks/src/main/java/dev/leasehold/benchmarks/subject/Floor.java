package dev.leasehold.benchmarks.subject;

import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** What no subject can be faster than: one bare commit, one bare question. */
public final class Floor {

    public static final String UPDATE = "floor: bare UPDATE";
    public static final String SELECT = "floor: SELECT 1";

    private final DataSource pool;

    public Floor(DataSource pool) {
        this.pool = pool;
    }

    public static void createTable(DataSource dataSource) throws SQLException {
        Statements.update(dataSource, """
                create table floor (
                  name text primary key,
                  value timestamptz
                ) with (fillfactor = 50)
                """);
    }

    public void insert(List<String> names) throws SQLException {
        Statements.update(pool, "insert into floor (name) select unnest(?::text[]) on conflict do nothing", (Object)
                names.toArray(String[]::new));
    }

    /** One row by its primary key, committed: durable when it returns. */
    public void update(String name) throws SQLException {
        Statements.requireOne(
                Statements.update(pool, "update floor set value = statement_timestamp() where name = ?", name));
    }

    /** Many rows by their primary keys in one statement. */
    public void updateAll(String[] names) throws SQLException {
        int rows = Statements.update(
                pool, "update floor set value = statement_timestamp() where name = any(?::text[])", (Object) names);
        if (rows != names.length) {
            throw new IllegalStateException(rows + " rows instead of " + names.length);
        }
    }

    public void select() throws SQLException {
        try (var connection = pool.getConnection();
                var statement = connection.prepareStatement("select 1");
                var rows = statement.executeQuery()) {
            rows.next();
        }
    }
}
