package dev.leasehold.cli;

import dev.leasehold.LeaseSchema;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The tables: prints, checks, creates or upgrades them. */
@Command(
        name = "schema",
        header = "Prints, checks, creates or upgrades the tables.",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the DDL of the lease table and of the run history beside it, for a tool of migrations; asks no database."
                    + " Or checks a database, or creates what is missing there."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:printed, complete or done",
            "1:--check has found something missing",
            "2:the database could not be asked, or an option is wrong"
        },
        footer = {
            "",
            "With --json: ddl; with --check complete, missing (DDL or null); with --apply applied (DDL or null)."
        })
final class SchemaCommand implements Callable<Integer> {

    @Mixin
    DatabaseArgument database = new DatabaseArgument();

    @Mixin
    LeaseOptions leases = new LeaseOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Option(names = "--leases-only", description = "Without the run history.")
    boolean leasesOnly;

    @ArgGroup
    Task task = new Task();

    /** What to do instead of printing. */
    static final class Task {

        @Option(names = "--check", description = "Say what is missing in the database, and change nothing.")
        boolean check;

        @Option(
                names = "--apply",
                description =
                        "Create what is missing. A table that lacks columns is upgraded in place; its leases are kept.")
        boolean apply;
    }

    @Override
    public Integer call() {
        LeaseSchema all = LeaseSchema.of(leases.table);
        LeaseSchema schema = leasesOnly ? all.withoutHistory() : all;
        Output out = output.output();
        if (task.check) {
            return check(schema, out);
        }
        if (task.apply) {
            return apply(schema, out);
        }
        if (out.isJson()) {
            out.document(Json.object().with("ddl", schema.ddl()).build());
        } else {
            out.ddl(schema.ddl());
        }
        return ExitCode.WELL;
    }

    private DataSource dataSource() {
        DataSource dataSource = database.dataSource();
        DatabaseClock.now(dataSource);
        return dataSource;
    }

    private int check(LeaseSchema schema, Output out) {
        String missing = schema.missing(dataSource());
        if (out.isJson()) {
            out.document(Json.object()
                    .with("complete", missing.isEmpty())
                    .with("missing", nothingIfEmpty(missing))
                    .build());
        } else if (missing.isEmpty()) {
            out.line("nothing is missing");
        } else {
            out.line("-- missing; leasehold schema --apply runs it:");
            out.ddl(missing);
        }
        return missing.isEmpty() ? ExitCode.WELL : ExitCode.FINDINGS;
    }

    private int apply(LeaseSchema schema, Output out) {
        String applied = schema.apply(dataSource());
        if (out.isJson()) {
            out.document(Json.object().with("applied", nothingIfEmpty(applied)).build());
        } else if (applied.isEmpty()) {
            out.line("nothing was missing");
        } else {
            out.line("-- done:");
            out.ddl(applied);
        }
        return ExitCode.WELL;
    }

    private static Optional<String> nothingIfEmpty(String ddl) {
        return Optional.of(ddl).filter(text -> !text.isEmpty());
    }
}
