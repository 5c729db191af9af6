package dev.leasehold.cli;

import dev.leasehold.LeaseRow;
import dev.leasehold.Leases;
import java.util.List;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Resumes a paused round. */
@Command(
        name = "resume",
        header = "Resumes a paused round.",
        mixinStandardHelpOptions = true,
        description = "Resumes a paused round; instances see it within a minute.",
        footer = {"", "Exit code: 0, or 1 if it was not paused.", "With --json: round, paused, was_paused."})
final class ResumeCommand implements Callable<Integer> {

    @Mixin
    DatabaseOptions database = new DatabaseOptions();

    @Mixin
    LeaseOptions leases = new LeaseOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Parameters(
            paramLabel = "ROUND",
            converter = NameText.class,
            description = "The round, as it was paused: round, or round@node.")
    String round = "";

    @Override
    public Integer call() {
        DataSource dataSource = database.dataSource();
        DatabaseClock.now(dataSource);
        boolean wasPaused = leases.ask(dataSource, all -> all.resume(round));
        Output out = output.output();
        if (out.isJson()) {
            out.document(Json.object()
                    .with("round", round)
                    .with("paused", false)
                    .with("was_paused", wasPaused)
                    .build());
        }
        if (!wasPaused) {
            out.note(why(leases.ask(dataSource, Leases::rows)));
            return ExitCode.FINDINGS;
        }
        if (!out.isJson()) {
            out.line(PlainText.inALine("resumed " + round + ". Instances see it at their next look, within a minute."));
        }
        return ExitCode.WELL;
    }

    private String why(List<LeaseRow> rows) {
        List<String> paused = rows.stream()
                .filter(row -> row.pauseReason().isPresent())
                .map(LeaseRow::name)
                .toList();
        return round + " is not paused; "
                + (paused.isEmpty() ? "nothing is" : "paused are: " + String.join(", ", paused));
    }
}
