package dev.leasehold.cli;

import dev.leasehold.LeaseRow;
import dev.leasehold.Leases;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Pauses a round in the whole cluster. */
@Command(
        name = "pause",
        header = "Pauses a round in the whole cluster.",
        mixinStandardHelpOptions = true,
        description = {
            "Pauses a round in the whole cluster: none begins until it is resumed; one that runs goes on to its end. A round may"
                    + " be paused before its first start."
        },
        footer = {"", "Exit code: 0.", "With --json: round, paused, was_paused, reason, known."})
final class PauseCommand implements Callable<Integer> {

    @Mixin
    DatabaseOptions database = new DatabaseOptions();

    @Mixin
    LeaseOptions leases = new LeaseOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Parameters(
            paramLabel = "ROUND",
            converter = NameText.class,
            description = "The round; round@node for one of its nodes only.")
    String round = "";

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description =
                    "For those who will wonder, 1 to 500 characters; replaces an earlier one. Default: by leasehold pause,"
                            + " by user@host.")
    Optional<String> reason = Optional.empty();

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() {
        DataSource dataSource = database.dataSource();
        DatabaseClock.now(dataSource);
        String told = reason.orElseGet(() -> Operator.reason("pause", Surroundings.of(spec)));
        List<LeaseRow> before = leases.ask(dataSource, Leases::rows);
        boolean isNew = leases.ask(dataSource, all -> all.pause(round, told));
        boolean isKnown = RoundName.isIn(before, round);
        Output out = output.output();
        if (out.isJson()) {
            out.document(Json.object()
                    .with("round", round)
                    .with("paused", true)
                    .with("was_paused", !isNew)
                    .with("reason", told)
                    .with("known", isKnown)
                    .build());
        } else {
            out.line(PlainText.inALine(
                    isNew
                            ? "paused " + round + ": " + told
                            : round + " was paused already; the reason is now: " + told));
        }
        if (!isKnown) {
            out.note("no round " + round + " has been here yet: it is paused from its first start on"
                    + NearestName.asked(round, RoundName.all(before)));
        }
        return ExitCode.WELL;
    }
}
