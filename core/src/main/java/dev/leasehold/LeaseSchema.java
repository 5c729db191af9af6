package dev.leasehold;

import dev.leasehold.internal.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * The DDL of the lease table and of the run history beside it, for those who create tables by hand or by a tool for migrations;
 * {@link Leases} otherwise look after them by themselves. Immutable and thread-safe.
 *
 * <p>What asks the database borrows one connection a table, one after the other, each for 30 seconds at most. It looks in the catalog, which any role may, and
 * sends DDL only where something is missing.
 */
public final class LeaseSchema {

    private final List<TableSchema> tables;

    private LeaseSchema(List<TableSchema> tables) {
        this.tables = tables;
    }

    /**
     * The lease table of that name, {@code table} or {@code schema.table}, each part exactly as PostgreSQL stores it, and the run
     * history {@code round_runs} in the same schema.
     *
     * @throws IllegalArgumentException for a name that PostgreSQL could not have; names it and the rule
     */
    public static LeaseSchema of(String table) {
        TableName name = TableName.of(table);
        return new LeaseSchema(List.of(
                new TableSchema(TableShape.LEASES, name),
                new TableSchema(TableShape.RUN_HISTORY, name.beside(TableShape.RUN_HISTORY.name()))));
    }

    /** The lease table alone. */
    public LeaseSchema withoutHistory() {
        return new LeaseSchema(tables.subList(0, 1));
    }

    /** What creates the tables in a database that has neither. No I/O. */
    public String ddl() {
        return joined(tables.stream().map(TableSchema::ddl));
    }

    /**
     * What is missing of the tables: all of a table, or the columns that an older one lacks. Changes nothing.
     *
     * @return as DDL; empty if nothing is missing
     * @throws LeaseException if a table of that name is of another kind, or the database did not answer in time or answered
     *     with an error
     */
    public String missing(DataSource dataSource) {
        return ask(dataSource, TableSchema::missing);
    }

    /**
     * Creates what is missing; a table that lacks columns is upgraded in place, and its leases are kept. Waits for others who
     * do the same, and for those who have a table locked, within the bound. The role needs the right to create only where
     * something is missing.
     *
     * @return the DDL that was run; empty if nothing was missing
     * @throws LeaseException as {@link #missing}; what was created before stays
     */
    public String apply(DataSource dataSource) {
        return ask(dataSource, TableSchema::create);
    }

    private interface Question {
        String of(TableSchema table, Connection connection) throws SQLException;
    }

    private String ask(DataSource dataSource, Question question) {
        Objects.requireNonNull(dataSource, "dataSource");
        try (var lane = new Lane("schema", 1)) {
            var look = new SchemaLook(dataSource, lane);
            return joined(tables.stream().map(table -> ask(look, table, question)));
        }
    }

    private static String ask(SchemaLook look, TableSchema table, Question question) {
        try {
            return look.ask(connection -> question.of(table, connection));
        } catch (SQLException e) {
            throw new LeaseException(table.name() + " is not usable: " + e.getMessage() + table.hint(e), e);
        }
    }

    private static String joined(Stream<String> ddl) {
        return String.join("\n", ddl.filter(text -> !text.isEmpty()).toList());
    }
}
