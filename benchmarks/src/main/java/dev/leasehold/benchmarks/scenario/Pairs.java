package dev.leasehold.benchmarks.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.harness.Cell;
import dev.leasehold.benchmarks.harness.Crew;
import dev.leasehold.benchmarks.harness.Medians;
import dev.leasehold.benchmarks.report.Column;
import dev.leasehold.benchmarks.report.Table;
import dev.leasehold.benchmarks.subject.Contender;
import dev.leasehold.benchmarks.subject.Floor;
import dev.leasehold.benchmarks.subject.Hold;
import dev.leasehold.benchmarks.subject.Subject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** How many acquisitions and releases there are in a second. */
public final class Pairs implements Scenario {

    public static final String NAME = "pairs";
    public static final String ONE = "1 thread, pairs/s";
    public static final String ONE_RATIO = "to two bare commits";
    public static final String MANY = "8 threads, pairs/s";
    public static final String MANY_RATIO = "to two bare commits, 8 threads";
    public static final String REFUSED = "refused though free, %";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Table measure(Bench bench) throws Exception {
        List<List<String>> names = IntStream.range(0, Bench.MANY_THREADS)
                .mapToObj(thread -> bench.names(NAME, thread))
                .toList();
        List<String> all = names.stream().flatMap(List::stream).toList();
        try (var open = new OpenContenders(bench);
                HikariDataSource floorPool = bench.pool();
                var alone = new Crew(1);
                var many = new Crew(Bench.MANY_THREADS)) {
            Floor floor = bench.floor(floorPool, all);
            open.touch(all);
            bench.settle();
            Crew.Turn twoCommits = (thread, turn) -> {
                List<String> own = names.get(thread);
                floor.update(own.get(turn % own.size()));
                floor.update(own.get(turn % own.size()));
            };
            var cells = new ArrayList<Cell>();
            cells.add(new Cell(Floor.UPDATE, () -> pairs(bench, alone, many, twoCommits, new LongAdder())));
            for (Subject subject : bench.subjects()) {
                List<Contender> one = Collections.nCopies(Bench.MANY_THREADS, open.of(subject));
                cells.add(cell(bench, alone, many, subject.label(), one, names));
                if (subject.sharesStatementsAmongThreads()) {
                    List<Contender> own = open.eachThreadItsOwn(subject, Bench.MANY_THREADS);
                    for (int thread = 0; thread < own.size(); thread++) {
                        OpenContenders.touch(own.get(thread), names.get(thread));
                    }
                    cells.add(cell(bench, alone, many, apart(subject.label()), own, names));
                }
            }
            return table(bench, bench.rounds().measure(NAME, cells), cells);
        }
    }

    /** The row of a subject each of whose threads acquires and releases on its own. */
    public static String apart(String label) {
        return OpenContenders.apart(label);
    }

    /** By thread: who acquires, and the names. */
    private static Cell cell(
            Bench bench, Crew alone, Crew many, String row, List<Contender> contenders, List<List<String>> names) {
        var refused = new LongAdder();
        Crew.Turn pair = (thread, turn) -> {
            List<String> own = names.get(thread);
            Optional<Hold> answer = contenders.get(thread).tryAcquire(own.get(turn % own.size()));
            if (answer.isPresent()) {
                answer.get().release();
            } else {
                refused.increment();
            }
        };
        return new Cell(row, () -> pairs(bench, alone, many, pair, refused));
    }

    private static Map<String, Double> pairs(Bench bench, Crew alone, Crew many, Crew.Turn pair, LongAdder refused)
            throws Exception {
        refused.reset();
        Crew.Done one = alone.workFor(bench.sizes().window(), pair);
        if (refused.sum() > 0) {
            throw new IllegalStateException("a free name was refused to a single thread");
        }
        Crew.Done eight = many.workFor(bench.sizes().window(), pair);
        double pairs = eight.turns() - refused.sum();
        return Map.of(
                ONE, one.perSecond(), MANY, pairs / eight.seconds(), REFUSED, refused.sum() * 100.0 / eight.turns());
    }

    private static Table table(Bench bench, Medians medians, List<Cell> cells) {
        var rows = cells.stream()
                .map(cell -> new Table.Row(
                        cell.row(),
                        List.of(
                                medians.of(cell.row(), ONE),
                                medians.ratio(cell.row(), Floor.UPDATE, ONE),
                                medians.of(cell.row(), MANY),
                                medians.ratio(cell.row(), Floor.UPDATE, MANY),
                                medians.of(cell.row(), REFUSED))))
                .toList();
        return new Table(
                NAME,
                "acquire and release, each thread with names of its own, pool of " + Bench.POOL_SIZE,
                List.of(
                        new Column(ONE, 0),
                        new Column(ONE_RATIO, 2),
                        new Column(MANY, 0),
                        new Column(MANY_RATIO, 2),
                        new Column(REFUSED, 1)),
                rows,
                List.of(
                        "The median of " + medians.rounds() + " rounds. The floor's pair is two bare UPDATE commits.",
                        "The threads share one instance of a subject, as those of an application do. One of leasehold puts"
                                + " what its threads ask at the same moment into one statement and one commit; with an"
                                + " instance a thread each attempt has a statement and a commit of its own, as with all"
                                + " other subjects.",
                        "Each thread goes through " + bench.sizes().names()
                                + " names of its own in turn, so that the counted slots, a millisecond long, are due.",
                        "Refused though free: with 8 threads, how many attempts on a free name of the thread's own were"
                                + " refused, in percent; they are no pairs. A Spring Integration registry shares 256 locks"
                                + " in memory among all names, so two threads with different names can refuse each"
                                + " other."));
    }
}
