package dev.leasehold.benchmarks.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.harness.Cell;
import dev.leasehold.benchmarks.harness.Crew;
import dev.leasehold.benchmarks.harness.LockWatch;
import dev.leasehold.benchmarks.harness.Medians;
import dev.leasehold.benchmarks.report.Column;
import dev.leasehold.benchmarks.report.Table;
import dev.leasehold.benchmarks.subject.Subject;
import java.util.ArrayList;
import java.util.List;

/** What eight instances do to the database, and to each other, that ask for one free lease at the same moment. */
public final class Herd implements Scenario {

    public static final String NAME = "herd";
    public static final String IDS = "transaction ids a herd";
    public static final String WAITED = "losers that waited for a lock, of 7";
    public static final String LOSER = "slowest loser, ms";
    public static final String LONGEST = "longest wait of any, ms";

    private static final int COMMIT_MILLIS = 30;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Table measure(Bench bench) throws Exception {
        var pools = new ArrayList<HikariDataSource>();
        var contests = new ArrayList<Contest>();
        try (var watch = new LockWatch(bench.server());
                var crew = new Crew(Bench.MANY_THREADS)) {
            var cells = new ArrayList<Cell>();
            for (Subject subject : bench.subjects()) {
                for (int i = 0; i < Bench.MANY_THREADS; i++) {
                    pools.add(bench.lazyPool("-c commit_siblings=0 -c commit_delay=" + COMMIT_MILLIS * 1_000));
                }
                var own = pools.subList(pools.size() - Bench.MANY_THREADS, pools.size());
                var contest = new Contest(bench.server(), watch, crew, subject, List.copyOf(own));
                contests.add(contest);
                cells.add(new Cell(subject.label(), contest::run));
            }
            bench.settle();
            return table(bench.rounds().measureLess(NAME, cells, 2), cells);
        } finally {
            contests.forEach(Contest::close);
            pools.forEach(HikariDataSource::close);
        }
    }

    private static Table table(Medians medians, List<Cell> cells) {
        var rows = cells.stream()
                .map(cell -> new Table.Row(
                        cell.row(),
                        List.of(
                                medians.mean(cell.row(), IDS),
                                medians.mean(cell.row(), WAITED),
                                medians.of(cell.row(), LOSER),
                                medians.max(cell.row(), LOSER))))
                .toList();
        return new Table(
                NAME,
                "eight instances ask for one free lease at the same moment",
                List.of(new Column(IDS, 2), new Column(WAITED, 2), new Column(LOSER, 1), new Column(LONGEST, 1)),
                rows,
                List.of(
                        "Each commit takes " + COMMIT_MILLIS
                                + " ms longer here (commit_delay), so that who waits for the winner's can be seen: in"
                                + " pg_locks, looked at every few milliseconds. The slowest loser's time tells less on a"
                                + " busy machine.",
                        "Transaction ids and losers that waited are means of " + medians.rounds()
                                + " herds; the winner's own id counts."));
    }
}
