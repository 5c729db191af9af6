package dev.leasehold.cli;

import com.google.gson.JsonArray;
import dev.leasehold.LeaseRow;
import dev.leasehold.Leases;
import dev.leasehold.RecordedRun;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What periodic work does: which slot was counted last, what runs now, what is paused. */
@Command(
        name = "rounds",
        header = "What periodic work does.",
        mixinStandardHelpOptions = true,
        description = {
            "What periodic work does: the slot that was counted last, what runs now, what is paused, whose holders died; and how"
                    + " its last runs ended, if there is a run history."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:shown", "2:the database could not be asked, or lacks a table; or an option is wrong"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  leasehold rounds --url postgresql://ops@db.example.org/app",
            "  leasehold rounds report --history 20",
            "",
            "A round is shown from its first counted run on, or while it is made due or paused, or if a run history tells of it.",
            "With --json: now, history (whether there is one), rounds: [lease, round, node, state (running, paused, died, idle),"
                    + " running, holder, running_for_seconds, done_slot, done_slot_age_seconds, made_due, pause_reason, deaths,"
                    + " last_outcomes]. With --history: now, runs: [lease, fence, round, node, slot, extra, holder, started_at,"
                    + " ended_at, took_seconds, outcome, counted, error]."
        })
final class RoundsCommand implements Callable<Integer> {

    private static final int MOST_RUNS = 10_000;

    @Mixin
    DatabaseOptions database = new DatabaseOptions();

    @Mixin
    LeaseOptions leases = new LeaseOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Mixin
    WatchOption watch = new WatchOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "ROUND",
            converter = NameText.class,
            description = "Only that round, on all its nodes.")
    String round = "";

    @Option(names = "--history", paramLabel = "N", description = "The last N runs, one a line, instead of the rounds.")
    int history;

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() {
        boolean isHistory = spec.commandLine().getParseResult().hasMatchedOption("--history");
        if (isHistory && (history < 1 || history > MOST_RUNS)) {
            throw new ParameterException(
                    spec.commandLine(), "--history is " + history + ", but must be 1 to " + MOST_RUNS);
        }
        DataSource dataSource = database.dataSource();
        return watch.show(output.output(), once -> {
            Instant now = DatabaseClock.now(dataSource);
            if (isHistory) {
                showRuns(dataSource, now, once);
            } else {
                showRounds(dataSource, now, once);
            }
        });
    }

    private void showRuns(DataSource dataSource, Instant now, Output once) {
        List<RecordedRun> runs = leases.ask(dataSource, all -> {
            try {
                return RunReader.of(all).runs(round, history);
            } catch (RunReader.NoHistory e) {
                throw new CommandFailure(ErrorCode.NO_HISTORY, String.valueOf(e.getMessage()), e);
            }
        });
        if (once.isJson()) {
            once.document(Json.object()
                    .with("now", now)
                    .with("runs", RunViews.json(runs))
                    .build());
        } else if (runs.isEmpty()) {
            once.line("no run is recorded" + (round.isEmpty() ? "" : " of " + PlainText.inALine(round)));
        } else {
            once.table(RunViews.table(runs, now));
        }
    }

    /** Of one look; {@code noHistory} says why there is none. */
    private record Rounds(List<RoundView> views, Optional<String> noHistory) {}

    private void showRounds(DataSource dataSource, Instant now, Output once) {
        Rounds rounds = leases.ask(dataSource, all -> read(all, now));
        if (once.isJson()) {
            var views = new JsonArray();
            rounds.views().forEach(view -> views.add(view.json()));
            once.document(Json.object()
                    .with("now", now)
                    .with("history", rounds.noHistory().isEmpty())
                    .with("rounds", views)
                    .build());
            return;
        }
        if (rounds.views().isEmpty()) {
            once.line(
                    round.isEmpty()
                            ? "no round has had a counted run here"
                            : "no round " + PlainText.inALine(round) + " has had a counted run here");
        } else {
            once.table(table(rounds.views()));
        }
        rounds.noHistory().ifPresent(why -> once.line(once.paint().faint("No outcomes of runs: " + why + ".")));
    }

    private Rounds read(Leases all, Instant now) {
        List<LeaseRow> rows = all.rows().stream()
                .filter(row -> round.isEmpty() || RoundName.isIn(List.of(row), round))
                .toList();
        List<RoundName> names = rows.stream()
                .filter(RoundsCommand::isRound)
                .map(row -> RoundName.of(row.name()))
                .toList();
        try {
            return new Rounds(views(rows, now, RunReader.of(all).lastRuns(names)), Optional.empty());
        } catch (RunReader.NoHistory e) {
            return new Rounds(views(rows, now, Map.of()), Optional.ofNullable(e.getMessage()));
        }
    }

    private static boolean isRound(LeaseRow row) {
        return row.doneSlot().isPresent() || row.madeDue() || row.pauseReason().isPresent();
    }

    private static List<RoundView> views(List<LeaseRow> rows, Instant now, Map<String, List<RecordedRun>> runs) {
        return rows.stream()
                .filter(row -> isRound(row) || runs.containsKey(row.name()))
                .map(row -> new RoundView(
                        RoundName.of(row.name()), new LeaseView(row, now), runs.getOrDefault(row.name(), List.of())))
                .sorted(Comparator.comparing((RoundView view) -> view.name().round())
                        .thenComparing(view -> view.name().node().orElse("")))
                .toList();
    }

    private static TextTable table(List<RoundView> views) {
        var table = new TextTable(
                        "ROUND", "NODE", "STATE", "LAST COUNTED SLOT", "AGE", "LAST RUN", "LAST RUNS", "NOTE", "HOLDER")
                .painting(2, RoundView.State::toneOf)
                .doingWithout(8, 6, 3);
        for (RoundView view : views) {
            boolean isRunning = view.state() == RoundView.State.RUNNING;
            table.row(
                    view.name().round(),
                    view.name().node().orElse(""),
                    view.state().word(),
                    view.lease().row().doneSlot().map(Instant::toString).orElse(""),
                    view.doneSlotAge().map(DurationText::of).orElse(""),
                    view.lastRun(),
                    view.failures(),
                    view.note(),
                    isRunning ? view.lease().holder().orElse("") : "");
        }
        return table;
    }
}
