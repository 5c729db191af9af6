package dev.leasehold.cli;

import com.google.gson.JsonArray;
import dev.leasehold.LeaseRow;
import dev.leasehold.Leases;
import java.util.List;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Makes a round's slot due again. */
@Command(
        name = "run-now",
        header = "Asks for one extra run of a round.",
        mixinStandardHelpOptions = true,
        description = {
            "Asks for one extra run of a round: the slot that was counted last is due again, whoever runs it then. Instances see"
                    + " it within a minute; the grid stays as it is. A paused round runs when it is resumed."
        },
        footer = {
            "",
            "Exit code: 0, or 1 if no slot was made due: the round runs just now, or there is none of that name.",
            "With --json: round, made_due: [lease]."
        })
final class RunNowCommand implements Callable<Integer> {

    @Mixin
    DatabaseOptions database = new DatabaseOptions();

    @Mixin
    LeaseOptions leases = new LeaseOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Parameters(
            paramLabel = "ROUND",
            converter = NameText.class,
            description = "The round; of one of node scope round@node, or round for all its nodes.")
    String round = "";

    @Override
    public Integer call() {
        DataSource dataSource = database.dataSource();
        DatabaseClock.now(dataSource);
        List<String> due = leases.ask(dataSource, all -> all.makeDue(round));
        Output out = output.output();
        if (out.isJson()) {
            var names = new JsonArray();
            due.forEach(names::add);
            out.document(
                    Json.object().with("round", round).with("made_due", names).build());
        }
        if (due.isEmpty()) {
            out.note(why(leases.ask(dataSource, Leases::rows)));
            return ExitCode.FINDINGS;
        }
        if (!out.isJson()) {
            out.line(PlainText.inALine(
                    "made due: " + String.join(", ", due) + ". Instances see it at their next look, within a minute."));
        }
        return ExitCode.WELL;
    }

    private String why(List<LeaseRow> rows) {
        if (RoundName.isIn(rows, round)) {
            return "no slot of " + round + " was made due: it runs at this moment, and that run counts when it ends";
        }
        return "there is no round " + round + " here, or it was never asked for yet"
                + NearestName.asked(round, RoundName.all(rows));
    }
}
