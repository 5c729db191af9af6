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
        String state = sqlState(e).orElse("");
        String apply = "leasehold schema --apply" + (table.equals("leases") ? "" : " --table " + table);
        return switch (state) {
            case UNDEFINED_TABLE ->
                new CommandFailure(
                        ExitCode.COULD_NOT_LOOK,
                        "there is no lease table " + table + " here: " + apply
                                + " creates it, --table names another (table or schema.table)",
                        e);
            case UNDEFINED_COLUMN ->
                new CommandFailure(
                        ExitCode.COULD_NOT_LOOK,
                        "the lease table " + table + " lacks columns of this version: " + apply + " adds them",
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
