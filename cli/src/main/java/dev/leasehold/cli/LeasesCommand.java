package dev.leasehold.cli;

import com.google.gson.JsonArray;
import dev.leasehold.LeaseRow;
import dev.leasehold.Leases;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Who holds which lease. */
@Command(
        name = "leases",
        header = "Who holds which lease.",
        mixinStandardHelpOptions = true,
        description = "Who holds which lease, for how long, and when it expires unless it is renewed.",
        footer = {
            "",
            "States: held; expired (its holder died or lost the database: free); released (free); resting (ended, free only"
                    + " after a rest).",
            "With --json: now, leases: [name, state, holder, taken_at, held_for_seconds, expires_at, expires_in_seconds, fence,"
                    + " deaths, done_slot, pause_reason]."
        })
final class LeasesCommand implements Callable<Integer> {

    @Mixin
    DatabaseArgument database = new DatabaseArgument();

    @Mixin
    LeaseOptions leases = new LeaseOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Mixin
    WatchOption watch = new WatchOption();

    @Option(names = "--held", description = "Only those that are held now.")
    boolean held;

    @Override
    public Integer call() {
        DataSource dataSource = database.dataSource();
        return watch.show(output.output(), once -> show(dataSource, once));
    }

    private void show(DataSource dataSource, Output once) {
        Instant now = DatabaseClock.now(dataSource);
        List<LeaseRow> rows = leases.ask(dataSource, Leases::rows);
        List<LeaseView> views = rows.stream()
                .filter(row -> !held || row.held())
                .map(row -> new LeaseView(row, now))
                .toList();
        if (once.isJson()) {
            var all = new JsonArray();
            views.forEach(view -> all.add(view.json()));
            once.document(Json.object().with("now", now).with("leases", all).build());
        } else if (views.isEmpty()) {
            once.line(
                    rows.isEmpty()
                            ? "the lease table " + PlainText.inALine(leases.table) + " is empty"
                            : "none is held");
        } else {
            once.table(table(views));
        }
    }

    private static TextTable table(List<LeaseView> views) {
        var table = new TextTable("NAME", "STATE", "HELD FOR", "EXPIRES", "DEATHS", "FENCE", "HOLDER")
                .painting(1, LeaseState::toneOf);
        for (LeaseView view : views) {
            table.row(
                    view.row().name(),
                    view.state().word(),
                    view.heldFor().map(DurationText::of).orElse(""),
                    view.expiry(),
                    view.row().deaths() == 0 ? "" : String.valueOf(view.row().deaths()),
                    String.valueOf(view.row().fence()),
                    view.holder().orElse(""));
        }
        return table;
    }
}
