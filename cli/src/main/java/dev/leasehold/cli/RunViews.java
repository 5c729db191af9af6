package dev.leasehold.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.leasehold.RecordedRun;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Runs of rounds as they are shown, the newest first. */
final class RunViews {

    private static final String RUNS = "running";

    private RunViews() {}

    static TextTable table(List<RecordedRun> runs, Instant now) {
        var table = new TextTable("STARTED", "ROUND", "NODE", "SLOT", "TOOK", "OUTCOME", "COUNTED", "ERROR")
                .painting(5, RunViews::tone)
                .doingWithout(3, 6);
        for (RecordedRun run : runs) {
            table.row(
                    RoundView.ago(run.startedAt(), now),
                    run.round(),
                    run.node().orElse(""),
                    run.extra() ? "extra" : run.slot().map(Instant::toString).orElse(""),
                    took(run).map(DurationText::of).orElse(""),
                    run.outcome().map(RoundView::word).orElse(RUNS),
                    run.counted() ? "yes" : "no",
                    run.error().orElse(""));
        }
        return table;
    }

    private static Optional<Duration> took(RecordedRun run) {
        return run.endedAt().map(end -> Duration.between(run.startedAt(), end));
    }

    private static Paint.Tone tone(String outcome) {
        return switch (outcome.toUpperCase(Locale.ROOT)) {
            case "DONE" -> Paint.Tone.PLAIN;
            case "RUNNING" -> Paint.Tone.GOOD;
            case "STOPPED" -> Paint.Tone.WARNING;
            default -> Paint.Tone.BAD;
        };
    }

    static JsonArray json(List<RecordedRun> runs) {
        var all = new JsonArray();
        runs.forEach(run -> all.add(json(run)));
        return all;
    }

    private static JsonObject json(RecordedRun run) {
        return Json.object()
                .with("lease", run.lease())
                .with("fence", run.fence())
                .with("round", run.round())
                .with("node", run.node())
                .with("slot", run.slot())
                .with("extra", run.extra())
                .with("holder", run.holder())
                .with("started_at", run.startedAt())
                .with("ended_at", run.endedAt())
                .withSeconds("took_seconds", took(run))
                .with("outcome", run.outcome())
                .with("counted", run.counted())
                .with("error", run.error())
                .build();
    }
}
