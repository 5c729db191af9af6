package dev.leasehold.cli;

import dev.leasehold.doctor.Diagnosis;
import dev.leasehold.doctor.Doctor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** One look at the server: why is the pool empty? */
@Command(
        name = "doctor",
        header = "Why is the pool empty? One look at the server.",
        mixinStandardHelpOptions = true,
        description = {
            "Looks once at a PostgreSQL server, and says why a pool of connections is empty: who holds which locks, who waits"
                    + " for whom, what runs for too long, which settings bite. For any application on PostgreSQL, with or"
                    + " without leases. Changes nothing, and waits for no lock longer than a tenth of a second."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing to do",
            "1:problems or risks were found",
            "2:the database could not be asked, or an option is wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  leasehold doctor postgresql://ops@db.example.org/app",
            "  leasehold doctor --budget 96 --name nightly-report",
            "  leasehold doctor --json | jq -r '.findings[].title'",
            "",
            "With --json: server: {version, major, database, role}, looked_at, well, findings: [kind, severity (problem, risk,"
                    + " information), title, evidence: [an object a row], rows_left_out, meaning, now, for_good, sql: [a"
                    + " statement each]], the worst first.",
            "Give the names that the application locks as --name, several times for several: a hash does not tell its name.",
            "An ordinary role sees little of the sessions of others: look as a superuser, or as a member of pg_monitor. The"
                    + " doctor says so where it could not see all."
        })
final class DoctorCommand implements Callable<Integer> {

    @Mixin
    DatabaseArgument database = new DatabaseArgument();

    @Mixin
    LeaseOptions leases = new LeaseOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description =
                    "A name that applications take advisory locks on: a lock on a hash of it is shown with the name. May"
                            + " be repeated.")
    List<String> names = List.of();

    @Option(
            names = "--budget",
            paramLabel = "CONNECTIONS",
            description = "How many connections the applications are meant to need at most.")
    @Nullable
    Integer budget;

    @Option(
            names = "--long-transaction",
            paramLabel = "AGE",
            converter = DurationText.class,
            description =
                    "Tell of transactions that are open for longer than that, such as 30s or 1h, and of idle ones after a"
                            + " tenth of it. Default: 5m.")
    Duration longTransaction = Duration.ofMinutes(5);

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() {
        Doctor doctor = Doctor.on(database.dataSource()).withNames(names).withLongTransaction(longTransaction);
        if (spec.commandLine().getParseResult().hasMatchedOption("--table")) {
            doctor = doctor.withTable(leases.table);
        }
        if (budget != null) {
            doctor = doctor.withBudget(budget);
        }
        Diagnosis diagnosis = doctor.look();
        Output out = output.output();
        if (out.isJson()) {
            out.document(DiagnosisJson.of(diagnosis));
        } else {
            new DiagnosisText(out).print(diagnosis);
        }
        return diagnosis.isWell() ? ExitCode.WELL : ExitCode.FINDINGS;
    }
}
