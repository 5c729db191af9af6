package dev.leasehold.cli;

import dev.leasehold.LeaseException;
import dev.leasehold.Leases;
import dev.leasehold.SchemaMode;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import picocli.CommandLine.Option;

/** Which leases: the option of all commands that look at the lease table. */
final class LeaseOptions {

    private static final String UNDEFINED_TABLE = "42P01";
    private static final String UNDEFINED_COLUMN = "42703";

    @Option(
            names = "--table",
            paramLabel = "[SCHEMA.]TABLE",
            description = "The lease table, as PostgreSQL stores its name. Default: leases, found by the search_path.")
    String table = "leases";

    /** The leases of that database, to look at and to order about; the table is not created. Close them. */
    Leases open(DataSource dataSource) {
        return Leases.on(dataSource).table(table).schema(SchemaMode.NONE).build();
    }

    /**
     * Asks something of the leases of that database.
     *
     * @throws CommandFailure if the table is missing, or is an older one: it says what to do
     */
    <T> T ask(DataSource dataSource, Function<Leases, T> question) {
        try (Leases leases = open(dataSource)) {
            return question.apply(leases);
        } catch (LeaseException e) {
            throw withAdvice(e);
        }
    }

    private RuntimeException withAdvice(LeaseException e) {
        return switch (sqlState(e).orElse("")) {
            case UNDEFINED_TABLE ->
                new CommandFailure(
                        ErrorCode.NO_TABLE,
                        "this database has no lease table " + table + ": --table names another (table or schema.table);"
                                + " leasehold doctor needs none, and leasehold help schema is for who wants one",
                        e);
            case UNDEFINED_COLUMN ->
                new CommandFailure(
                        ErrorCode.OLD_TABLE,
                        "the table " + table
                                + " lacks columns of a lease table of this version: leasehold schema --check"
                                + " says which; if it is another's table of the same name, --table names the right one",
                        e);
            default -> e;
        };
    }

    /** The first along the causes. */
    static Optional<String> sqlState(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                return Optional.of(sql.getSQLState());
            }
        }
        return Optional.empty();
    }
}
