package dev.leasehold.cli;

import dev.leasehold.doctor.Diagnosis;
import dev.leasehold.doctor.Doctor;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
        footer = {
            "",
            "Exit code: 0 nothing to do, 1 problems or risks were found, 2 the database could not be asked.",
            "With --json: server: {version, major, database, role}, looked_at, well, findings: [kind, severity (problem, risk,"
                    + " information), title, evidence: [an object a row], rows_left_out, meaning, now, for_good, sql: [a"
                    + " statement each]], the worst first.",
            "What a role may not see of other sessions is told: look as a superuser, or as a member of pg_monitor."
        })
final class DoctorCommand implements Callable<Integer> {

    @Mixin
    DatabaseOptions database = new DatabaseOptions();

    @Mixin
    LeaseOptions leases = new LeaseOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description =
                    "A name that advisory locks may be taken on: a lock of a hash of it is told by its name. May be"
                            + " repeated.")
    List<String> names = List.of();

    @Option(
            names = "--budget",
            paramLabel = "CONNECTIONS",
            description = "How many connections the applications are meant to need at most.")
    OptionalInt budget = OptionalInt.empty();

    @Option(
            names = "--long-transaction",
            paramLabel = "AGE",
            converter = DurationText.class,
            description =
                    "The age from which an open transaction is told, such as 30s or 1h; an idle one from a tenth of it."
                            + " Default: 5m.")
    Duration longTransaction = Duration.ofMinutes(5);

    @Override
    public Integer call() {
        Doctor doctor = Doctor.on(database.dataSource())
                .withTable(leases.table)
                .withNames(names)
                .withLongTransaction(longTransaction);
        if (budget.isPresent()) {
            doctor = doctor.withBudget(budget.getAsInt());
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
