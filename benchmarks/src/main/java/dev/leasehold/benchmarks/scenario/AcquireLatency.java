package dev.leasehold.benchmarks.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.harness.Cell;
import dev.leasehold.benchmarks.harness.Medians;
import dev.leasehold.benchmarks.harness.Timing;
import dev.leasehold.benchmarks.report.Column;
import dev.leasehold.benchmarks.report.Table;
import dev.leasehold.benchmarks.subject.Contender;
import dev.leasehold.benchmarks.subject.Floor;
import dev.leasehold.benchmarks.subject.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How long one thread waits for a free lease. */
public final class AcquireLatency implements Scenario {

    public static final String NAME = "acquire";
    public static final String MICROS = "median, us";
    public static final String RATIO = "to one bare UPDATE commit";

    /** How many times more rounds than elsewhere, with as many times fewer attempts in each. */
    private static final int SHORTER = 4;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Table measure(Bench bench) throws Exception {
        List<String> names = bench.names(NAME, 0);
        try (var open = new OpenContenders(bench);
                HikariDataSource floorPool = bench.pool()) {
            Floor floor = bench.floor(floorPool, names);
            open.touch(names);
            bench.settle();
            var cells = new ArrayList<Cell>();
            int attempts = attempts(bench);
            cells.add(new Cell(
                    Floor.UPDATE,
                    () -> Map.of(
                            MICROS,
                            Timing.medianMicros(attempts, turn -> floor.update(names.get(turn % names.size()))))));
            cells.add(new Cell(
                    Floor.SELECT, () -> Map.of(MICROS, Timing.medianMicros(attempts, turn -> floor.select()))));
            for (Subject subject : bench.subjects()) {
                Contender contender = open.of(subject);
                cells.add(new Cell(subject.label(), () -> timed(bench, contender, names)));
            }
            return table(bench, bench.rounds().measureMore(NAME, cells, SHORTER), cells);
        }
    }

    private static Map<String, Double> timed(Bench bench, Contender contender, List<String> names) throws Exception {
        return Map.of(
                MICROS,
                Timing.medianMicros(
                        attempts(bench),
                        turn -> contender.tryAcquire(names.get(turn % names.size())),
                        answer -> answer.orElseThrow().release()));
    }

    private static int attempts(Bench bench) {
        return Math.max(1, bench.sizes().attempts() / SHORTER);
    }

    private static Table table(Bench bench, Medians medians, List<Cell> cells) {
        var rows = cells.stream()
                .map(cell -> new Table.Row(
                        cell.row(),
                        List.of(medians.of(cell.row(), MICROS), medians.ratio(cell.row(), Floor.UPDATE, MICROS))))
                .toList();
        return new Table(
                NAME,
                "one thread acquires a free lease, then releases it (not timed)",
                List.of(new Column(MICROS, 0), new Column(RATIO, 2)),
                rows,
                List.of("The median of " + medians.rounds() + " rounds, each the median of "
                        + attempts(bench)
                        + " attempts. Ratios are the median of the rounds' ratios, here and below."));
    }
}
