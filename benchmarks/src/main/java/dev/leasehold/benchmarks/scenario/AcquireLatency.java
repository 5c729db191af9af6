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
import java.util.function.Supplier;

/** How long one thread waits for a free lease. */
public final class AcquireLatency implements Scenario {

    public static final String NAME = "acquire";
    public static final String FAR = "acquire-far";
    public static final String MICROS = "median, us";
    public static final String RATIO = "to one bare UPDATE commit";

    /** How many times more rounds than elsewhere, with as many times fewer attempts in each. */
    private static final int SHORTER = 4;

    private final boolean isFar;

    private AcquireLatency(boolean isFar) {
        this.isFar = isFar;
    }

    /** With the server on the same machine. */
    public static AcquireLatency near() {
        return new AcquireLatency(false);
    }

    /** With a network between, as most have it. */
    public static AcquireLatency far() {
        return new AcquireLatency(true);
    }

    @Override
    public String name() {
        return isFar ? FAR : NAME;
    }

    @Override
    public Table measure(Bench bench) throws Exception {
        if (!isFar) {
            return measure(bench, bench::pool);
        }
        try (var server = bench.farServer()) {
            return measure(bench, server::pool);
        }
    }

    private Table measure(Bench bench, Supplier<HikariDataSource> newPool) throws Exception {
        List<String> names = bench.names(name(), 0);
        try (var open = new OpenContenders(bench.subjects(), newPool);
                HikariDataSource floorPool = newPool.get()) {
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
            return table(bench, bench.rounds().measureMore(name(), cells, isFar ? 1 : SHORTER), cells);
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

    private Table table(Bench bench, Medians medians, List<Cell> cells) {
        var rows = cells.stream()
                .map(cell -> new Table.Row(
                        cell.row(),
                        List.of(medians.of(cell.row(), MICROS), medians.ratio(cell.row(), Floor.UPDATE, MICROS))))
                .toList();
        return new Table(
                name(),
                "one thread acquires a free lease, then releases it (not timed)"
                        + (isFar ? "; each request takes a millisecond longer to the server" : ""),
                List.of(new Column(MICROS, 0), new Column(RATIO, 2)),
                rows,
                List.of("The median of " + medians.rounds() + " rounds, each the median of "
                        + attempts(bench)
                        + " attempts. Ratios are the median of the rounds' ratios, here and below."));
    }
}
