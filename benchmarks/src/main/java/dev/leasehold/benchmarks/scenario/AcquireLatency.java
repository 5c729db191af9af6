package dev.leasehold.benchmarks.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.harness.Cell;
import dev.leasehold.benchmarks.harness.Median;
import dev.leasehold.benchmarks.harness.Medians;
import dev.leasehold.benchmarks.report.Column;
import dev.leasehold.benchmarks.report.Table;
import dev.leasehold.benchmarks.subject.Contender;
import dev.leasehold.benchmarks.subject.Floor;
import dev.leasehold.benchmarks.subject.Hold;
import dev.leasehold.benchmarks.subject.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How long one thread waits for a free lease. */
public final class AcquireLatency implements Scenario {

    public static final String NAME = "acquire";
    public static final String MICROS = "median, us";
    public static final String RATIO = "to one bare UPDATE commit";

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
            cells.add(new Cell(Floor.UPDATE, () -> timedFloor(bench, floor, names)));
            cells.add(new Cell(Floor.SELECT, () -> timedSelect(bench, floor)));
            for (Subject subject : bench.subjects()) {
                Contender contender = open.of(subject);
                cells.add(new Cell(subject.label(), () -> timed(bench, contender, names)));
            }
            return table(bench, bench.rounds().measure(NAME, cells), cells);
        }
    }

    private static Map<String, Double> timed(Bench bench, Contender contender, List<String> names) throws Exception {
        double[] micros = new double[bench.sizes().attempts()];
        for (int i = 0; i < micros.length; i++) {
            long before = System.nanoTime();
            var answer = contender.tryAcquire(names.get(i % names.size()));
            micros[i] = (System.nanoTime() - before) / 1e3;
            Hold hold = answer.orElseThrow(() -> new IllegalStateException("a free name was refused"));
            hold.release();
        }
        return Map.of(MICROS, Median.of(micros));
    }

    private static Map<String, Double> timedFloor(Bench bench, Floor floor, List<String> names) throws Exception {
        double[] micros = new double[bench.sizes().attempts()];
        for (int i = 0; i < micros.length; i++) {
            long before = System.nanoTime();
            floor.update(names.get(i % names.size()));
            micros[i] = (System.nanoTime() - before) / 1e3;
        }
        return Map.of(MICROS, Median.of(micros));
    }

    private static Map<String, Double> timedSelect(Bench bench, Floor floor) throws Exception {
        double[] micros = new double[bench.sizes().attempts()];
        for (int i = 0; i < micros.length; i++) {
            long before = System.nanoTime();
            floor.select();
            micros[i] = (System.nanoTime() - before) / 1e3;
        }
        return Map.of(MICROS, Median.of(micros));
    }

    private static Table table(Bench bench, Medians medians, List<Cell> cells) {
        double floor = medians.of(Floor.UPDATE, MICROS);
        var rows = cells.stream()
                .map(cell -> {
                    double micros = medians.of(cell.row(), MICROS);
                    return new Table.Row(cell.row(), List.of(micros, micros / floor));
                })
                .toList();
        return new Table(
                NAME,
                "one thread acquires a free lease, then releases it (not timed)",
                List.of(new Column(MICROS, 0), new Column(RATIO, 2)),
                rows,
                List.of("The median of " + bench.sizes().rounds() + " rounds, each the median of "
                        + bench.sizes().attempts() + " attempts."));
    }
}
