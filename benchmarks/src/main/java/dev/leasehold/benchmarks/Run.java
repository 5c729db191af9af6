package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.harness.Machine;
import dev.leasehold.benchmarks.harness.Progress;
import dev.leasehold.benchmarks.harness.Rounds;
import dev.leasehold.benchmarks.harness.Server;
import dev.leasehold.benchmarks.harness.Sizes;
import dev.leasehold.benchmarks.report.Figures;
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
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/** One run: a server, the subjects, the scenarios one after the other. */
final class Run {

    static final List<Scenario> SCENARIOS = List.of(
            AcquireLatency.near(),
            AcquireLatency.far(),
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
    private final List<String> failed = new ArrayList<>();

    Run(Sizes sizes, long seed, Progress progress) {
        this.sizes = sizes;
        this.seed = seed;
        this.progress = progress;
    }

    /** Of those scenarios, and of the subjects whose labels contain one of those parts; all for none. */
    Report report(List<String> scenarios, List<String> subjectParts) throws Exception {
        List<Scenario> chosen =
                chosen(scenarios, SCENARIOS, (scenario, name) -> scenario.name().equals(name));
        List<Subject> measured = chosen(
                subjectParts, Subjects.ALL, (subject, part) -> subject.label().contains(part));
        try (var server = new Server()) {
            Map<String, String> circumstances = circumstances(server);
            circumstances.forEach((what, value) -> progress.say(what + ": " + value));
            createTables(server);
            List<Table> tables = tables(new Bench(server, measured, sizes, rounds(), progress), chosen);
            circumstances.put("load average at the end", Machine.load());
            if (!failed.isEmpty()) {
                circumstances.put(Report.FAILED, String.join(", ", failed));
            }
            return new Report(circumstances, new Figures(tables));
        }
    }

    private static <T> List<T> chosen(List<String> asked, List<T> all, BiPredicate<T, String> isMeant) {
        for (String one : asked) {
            if (all.stream().noneMatch(choice -> isMeant.test(choice, one))) {
                throw new NothingToMeasureException("nothing here is called " + one + "; --help names what there is");
            }
        }
        return all.stream()
                .filter(choice -> asked.isEmpty() || asked.stream().anyMatch(one -> isMeant.test(choice, one)))
                .toList();
    }

    private Rounds rounds() {
        return new Rounds(sizes, seed, progress);
    }

    private static void createTables(Server server) throws SQLException {
        Floor.createTable(server.database().dataSource());
        for (Subject subject : Subjects.ALL) {
            subject.createTable(server.database().dataSource());
        }
    }

    private List<Table> tables(Bench bench, List<Scenario> scenarios) throws Exception {
        var tables = new ArrayList<Table>();
        for (Scenario scenario : scenarios) {
            try {
                Table table = scenario.measure(bench);
                tables.add(table);
                Markdown.of(table).lines().forEach(progress::say);
            } catch (RuntimeException e) {
                // What the others have measured is not lost for it; its goals are not measured.
                failed.add(scenario.name());
                progress.say(scenario.name() + " failed: " + e);
            }
        }
        return tables;
    }

    private Map<String, String> circumstances(Server server) throws SQLException {
        var all = new LinkedHashMap<String, String>();
        all.put(
                "date",
                ZonedDateTime.now(ZoneOffset.UTC)
                        .truncatedTo(ChronoUnit.MINUTES)
                        .toString());
        all.put("machine", Machine.description());
        all.put(
                "PostgreSQL",
                server.setting("server_version") + ", fsync " + server.setting("fsync") + ", synchronous_commit "
                        + server.setting("synchronous_commit"));
        all.put("rounds", sizes.rounds() + ", seed " + seed);
        all.put("load average at the beginning", Machine.load());
        return all;
    }
}
