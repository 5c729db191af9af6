package dev.leasehold.cli;

import dev.leasehold.ForcedRelease;
import dev.leasehold.LeaseRow;
import dev.leasehold.Leases;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Ends a lease, whoever holds it. */
@Command(
        name = "release",
        header = "Ends a lease, whoever holds it.",
        mixinStandardHelpOptions = true,
        description = {
            "Ends the lease of that name, whoever holds it, and others may acquire it at once: the last resort against a holder"
                    + " that hangs and goes on renewing.",
            "The holder is told at its next renewal, a quarter of its ttl later at most, and works on until then, beside the"
                    + " next holder perhaps. Its fence fences nothing from now on: its fenced transactions fail."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:released",
            "1:nobody held it, or the question was answered with no",
            "2:the database could not be asked, or an option is wrong"
        },
        footer = {"", "With --json: name, released, holder, fence, reason."})
final class ReleaseCommand implements Callable<Integer> {

    @Mixin
    DatabaseOptions database = new DatabaseOptions();

    @Mixin
    LeaseOptions leases = new LeaseOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Parameters(paramLabel = "NAME", converter = NameText.class, description = "The name of the lease.")
    String name = "";

    @Option(names = "--yes", description = "Do not ask. Needed where nobody can answer.")
    boolean yes;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description =
                    "For those who will wonder, 1 to 500 characters. Default: by leasehold release, by user@host.")
    Optional<String> reason = Optional.empty();

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() {
        DataSource dataSource = database.dataSource();
        Instant now = DatabaseClock.now(dataSource);
        Output out = output.output();
        List<LeaseRow> rows = leases.ask(dataSource, Leases::rows);
        Optional<LeaseView> found = ours(rows).map(row -> new LeaseView(row, now));
        if (found.isEmpty()) {
            String like =
                    NearestName.asked(name, rows.stream().map(LeaseRow::name).toList());
            return notReleased(out, "there is no lease " + name + like);
        }
        LeaseView lease = found.get();
        if (lease.holder().isEmpty()) {
            return notReleased(out, "nobody holds the lease " + name);
        }
        if (!yes && !isConfirmed(lease, out)) {
            return notReleased(out, "the lease " + name + " is not released");
        }
        return release(lease.row(), dataSource, out);
    }

    private Optional<LeaseRow> ours(List<LeaseRow> rows) {
        return rows.stream().filter(row -> row.name().equals(name)).findFirst();
    }

    /** Just the acquisition that was seen: an answer is meant for that holder. */
    private int release(LeaseRow seen, DataSource dataSource, Output out) {
        String told = reason.orElseGet(() -> Operator.reason("release", Surroundings.of(spec)));
        Optional<ForcedRelease> ended = leases.ask(dataSource, all -> all.releaseByForce(name, seen.fence(), told));
        if (ended.isEmpty()) {
            return notReleased(
                    out, "the lease " + name + " is not released: it has just been released, or has changed hands");
        }
        if (out.isJson()) {
            out.document(Json.object()
                    .with("name", name)
                    .with("released", true)
                    .with("holder", ended.get().holder())
                    .with("fence", ended.get().fence())
                    .with("reason", told)
                    .build());
        } else {
            out.line(PlainText.inALine("released the lease " + name + " of "
                    + ended.get().holder() + " (fence " + ended.get().fence() + "), " + told));
            out.line(
                    "The holder is told at its next renewal, and works on until then; its fence fences nothing any more.");
        }
        return ExitCode.WELL;
    }

    private int notReleased(Output out, String why) {
        if (out.isJson()) {
            Optional<String> none = Optional.empty();
            out.document(Json.object()
                    .with("name", name)
                    .with("released", false)
                    .with("holder", none)
                    .with("fence", none)
                    .with("reason", none)
                    .build());
        }
        out.note(why);
        return ExitCode.FINDINGS;
    }

    private boolean isConfirmed(LeaseView lease, Output out) {
        Surroundings surroundings = Surroundings.of(spec);
        if (!surroundings.terminal().isInput()) {
            throw CommandFailure.usage(
                    "nobody can answer whether to release the lease " + name + ": --yes does it without asking");
        }
        String held = lease.heldFor()
                .map(duration -> " for " + DurationText.of(duration))
                .orElse("");
        out.err()
                .println(PlainText.inALine(
                        "The lease " + name + " is " + lease.state().word() + held + ", expires "
                                + lease.expiry() + ", fence " + lease.row().fence() + ", holder "
                                + lease.row().holder() + ", in " + database.place() + "."));
        out.err()
                .println(
                        "The holder is told at its next renewal, and works on until then, beside the next holder perhaps;"
                                + " its fence fences nothing any more.");
        out.err().print("Release it? [y/N] ");
        out.err().flush();
        return answer(surroundings).matches("y|yes");
    }

    private static String answer(Surroundings surroundings) {
        try {
            String line =
                    new BufferedReader(new InputStreamReader(surroundings.in(), StandardCharsets.UTF_8)).readLine();
            return line == null ? "" : line.strip().toLowerCase(Locale.ROOT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
