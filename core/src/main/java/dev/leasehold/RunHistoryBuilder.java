package dev.leasehold;

import dev.leasehold.internal.TableName;
import java.sql.SQLException;
import java.util.Objects;

/** Describes a {@link RunHistory}; every setting has a default. Not thread-safe. */
public final class RunHistoryBuilder {

    private final Statements statements;
    private final Wiring wiring;
    private final SchemaLook look;
    private TableName table;
    private SchemaMode schema;

    RunHistoryBuilder(Statements statements, Wiring wiring, SchemaLook look, TableName leases, SchemaMode schema) {
        this.statements = statements;
        this.wiring = wiring;
        this.look = look;
        this.table = leases.beside(TableShape.RUN_HISTORY.name());
        this.schema = schema;
    }

    /**
     * The table, {@code table} or {@code schema.table}, each part exactly as PostgreSQL stores it. Default {@code round_runs}
     * in the schema of the lease table.
     */
    public RunHistoryBuilder table(String table) {
        this.table = TableName.of(table);
        return this;
    }

    /** What to do about the table in {@link #build()}. Default: the same as about the lease table. */
    public RunHistoryBuilder schema(SchemaMode schema) {
        this.schema = Objects.requireNonNull(schema, "schema");
        return this;
    }

    /**
     * Looks after the table. Once is enough for all rounds of an instance.
     *
     * @throws LeaseException if the table is missing or could not be created
     */
    public RunHistory build() {
        try {
            look.after(new TableSchema(TableShape.RUN_HISTORY, table), schema);
        } catch (SQLException e) {
            throw new LeaseException(
                    "the run history " + table.quoted() + " is not usable: " + e.getMessage()
                            + Hint.of(e, TableShape.RUN_HISTORY),
                    e);
        }
        var historyTable = new HistoryTable(statements, table, wiring.shared());
        var turns = new HistoryTurns();
        return new RunHistory(historyTable, turns, new HistoryWriter(historyTable, turns, wiring.background()));
    }
}
