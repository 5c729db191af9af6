package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.harness.Progress;
import dev.leasehold.benchmarks.harness.Rounds;
import dev.leasehold.benchmarks.harness.Server;
import dev.leasehold.benchmarks.harness.Sizes;
import dev.leasehold.benchmarks.report.Markdown;
import dev.leasehold.benchmarks.report.Table;
import dev.leasehold.benchmarks.scenario.AcquireLatency;
import dev.leasehold.benchmarks.scenario.Bloat;
import dev.leasehold.benchmarks.scenario.Connections;
import dev.leasehold.benchmarks.scenario.Herd;
import dev.leasehold.benchmarks.scenario.Pairs;
import dev.leasehold.benchmarks.scenario.Refusals;
import dev.leasehold.benchmarks.scenario.Renewal;
import dev.leasehold.benchmarks.scenario.RoundTrips;
import dev.leasehold.benchmarks.scenario.Scenario;
import dev.leasehold.benchmarks.scenario.Takeover;
import dev.leasehold.benchmarks.subject.Floor;
import dev.leasehold.benchmarks.subject.Subject;
import dev.leasehold.benchmarks.subject.Subjects;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** One run: a server, the subjects, the scenarios one after the other. */
final class Run {

    static final List<Scenario> SCENARIOS = List.of(
            new AcquireLatency(),
            new Pairs(),
            new Refusals(),
            new Herd(),
            new RoundTrips(),
            new Renewal(),
            new Connections(),
            new Bloat(),
            new Takeover());

    private final Sizes sizes;
    private final long seed;
    private final Progress progress;

    Run(Sizes sizes, long seed, Progress progress) {
        this.sizes = sizes;
        this.seed = seed;
        this.progress = progress;
    }

    List<Table> tables(List<String> scenarios, List<String> subjects, Consumer<String> out) throws Exception {
        List<Scenario> chosen = SCENARIOS.stream()
                .filter(scenario -> scenarios.isEmpty() || scenarios.contains(scenario.name()))
                .toList();
        List<Subject> measured = Subjects.ALL.stream()
                .filter(subject -> subjects.isEmpty() || subjects.stream().anyMatch(subject.label()::contains))
                .toList();
        if (chosen.isEmpty() || measured.isEmpty()) {
            throw new IllegalArgumentException("nothing to measure: scenarios are "
                    + SCENARIOS.stream().map(Scenario::name).collect(Collectors.joining(", ")) + "; subjects are "
                    + Subjects.ALL.stream().map(Subject::label).collect(Collectors.joining(", ")));
        }
        try (var server = new Server()) {
            progress.say("PostgreSQL " + server.setting("server_version") + ", seed " + seed);
            Floor.createTable(server.database().dataSource());
            for (Subject subject : measured) {
                subject.createTable(server.database().dataSource());
            }
            var bench = new Bench(server, measured, sizes, new Rounds(sizes, seed, progress), progress);
            var tables = new ArrayList<Table>();
            for (Scenario scenario : chosen) {
                Table table = scenario.measure(bench);
                tables.add(table);
                out.accept(Markdown.of(table));
            }
            return tables;
        }
    }
}
