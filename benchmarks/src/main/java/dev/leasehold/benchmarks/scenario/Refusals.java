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
import java.util.List;
import java.util.Map;

/** What it costs to be told no: eight threads ask for one lease that another instance holds. */
public final class Refusals implements Scenario {

    public static final String NAME = "refusals";
    public static final String PER_SECOND = "8 threads, refusals/s";
    public static final String RATIO = "to bare SELECT 1";
    public static final String WAL = "WAL bytes each";
    public static final String IDS = "transaction ids each";

    private static final String HELD = "held";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Table measure(Bench bench) throws Exception {
        try (var holders = OpenContenders.holders(bench);
                var open = new OpenContenders(bench);
                HikariDataSource floorPool = bench.pool();
                var crew = new Crew(Bench.MANY_THREADS)) {
            Floor floor = bench.floor(floorPool, List.of());
            var holds = new ArrayList<Hold>();
            var cells = new ArrayList<Cell>();
            cells.add(new Cell(Floor.SELECT, () -> refused(bench, crew, (thread, turn) -> floor.select())));
            for (Subject subject : bench.subjects()) {
                holds.add(holders.of(subject).tryAcquire(HELD).orElseThrow());
                List<Contender> askers = open.eachThreadItsOwnIfNeeded(subject, Bench.MANY_THREADS);
                cells.add(cell(bench, crew, subject.label(), askers));
                if (subject.sharesStatementsAmongThreads()) {
                    List<Contender> own = open.eachThreadItsOwn(subject, Bench.MANY_THREADS);
                    cells.add(cell(bench, crew, apart(subject.label()), own));
                }
            }
            bench.settle();
            Medians medians = bench.rounds().measure(NAME, cells);
            for (Hold hold : holds) {
                hold.release();
            }
            return table(medians, cells);
        }
    }

    /** The row of a subject each of whose threads asks on its own. */
    public static String apart(String label) {
        return OpenContenders.apart(label);
    }

    private static Cell cell(Bench bench, Crew crew, String row, List<Contender> askers) {
        return new Cell(row, () -> refused(bench, crew, (thread, turn) -> requireRefused(askers.get(thread))));
    }

    private static void requireRefused(Contender contender) throws Exception {
        if (contender.tryAcquire(HELD).isPresent()) {
            throw new IllegalStateException("acquired what another holds");
        }
    }

    private static Map<String, Double> refused(Bench bench, Crew crew, Crew.Turn turn) throws Exception {
        long walBefore = bench.server().walBytes();
        long idsBefore = bench.server().nextTransactionId();
        Crew.Done done = crew.workFor(bench.sizes().window(), turn);
        double wal = bench.server().walBytes() - walBefore;
        double ids = bench.server().nextTransactionId() - idsBefore;
        return Map.of(PER_SECOND, done.perSecond(), WAL, wal / done.turns(), IDS, ids / done.turns());
    }

    private static Table table(Medians medians, List<Cell> cells) {
        var rows = cells.stream()
                .map(cell -> new Table.Row(
                        cell.row(),
                        List.of(
                                medians.of(cell.row(), PER_SECOND),
                                medians.ratio(cell.row(), Floor.SELECT, PER_SECOND),
                                medians.of(cell.row(), WAL),
                                medians.of(cell.row(), IDS))))
                .toList();
        return new Table(
                NAME,
                "eight threads ask for one lease that another instance holds, pool of " + Bench.POOL_SIZE,
                List.of(new Column(PER_SECOND, 0), new Column(RATIO, 2), new Column(WAL, 1), new Column(IDS, 2)),
                rows,
                List.of(
                        "The median of " + medians.rounds()
                                + " rounds. The threads of a subject share one instance of it, as those of an application do."
                                + " A Spring Integration registry refuses its own threads from memory; so that each attempt"
                                + " asks the database, its threads have a registry each.",
                        "The threads of one instance of leasehold that ask for the same name at the same moment share a"
                                + " statement and its answer, so there are more refusals than statements. With an instance"
                                + " a thread each attempt is a statement of its own, as it is of all other subjects:"
                                + " that row compares statement with statement, and the WAL bytes and transaction ids each."));
    }
}
