package dev.leasehold.benchmarks.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.report.Column;
import dev.leasehold.benchmarks.report.Table;
import dev.leasehold.benchmarks.subject.Contender;
import dev.leasehold.benchmarks.subject.Hold;
import dev.leasehold.benchmarks.subject.Subject;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What holding costs: connections of the pool that are in use while locks are held and nothing else happens. */
public final class Connections implements Scenario {

    public static final String NAME = "connections";
    public static final String MOST = "locks held at most, of 8";

    private static final Duration PATIENCE = Duration.ofMillis(300);

    @Override
    public String name() {
        return NAME;
    }

    /** How the column of that many locks is called. */
    public static String column(int held) {
        return "with " + held;
    }

    @Override
    public Table measure(Bench bench) throws Exception {
        bench.progress().say(NAME);
        var rows = new ArrayList<Table.Row>();
        for (Subject subject : bench.subjects()) {
            rows.add(inUse(bench, subject));
        }
        var columns = new ArrayList<Column>();
        for (int held = 1; held <= Bench.MANY_THREADS; held++) {
            columns.add(new Column(column(held), 0));
        }
        columns.add(new Column(MOST, 0));
        return new Table(
                NAME,
                "connections of a pool of " + Bench.POOL_SIZE + " in use while 1 to 8 locks are held",
                columns,
                rows,
                List.of("Blank: the pool was empty, so no further lock could be had, and no other work done."));
    }

    private static Table.Row inUse(Bench bench, Subject subject) throws Exception {
        var figures = new ArrayList<Double>();
        var holds = new ArrayList<Hold>();
        try (HikariDataSource pool = bench.pool()) {
            pool.setConnectionTimeout(PATIENCE.toMillis());
            try (Contender contender = subject.contender(pool, OpenContenders.LONG_TTL)) {
                for (int held = 1; held <= Bench.MANY_THREADS; held++) {
                    boolean more = holds.size() == held - 1 && acquired(contender, NAME + "-" + held, holds);
                    figures.add(more ? pool.getHikariPoolMXBean().getActiveConnections() : Double.NaN);
                }
                figures.add((double) holds.size());
                for (Hold hold : holds) {
                    hold.release();
                }
            }
        }
        return new Table.Row(subject.label(), figures);
    }

    private static boolean acquired(Contender contender, String name, List<Hold> holds) throws Exception {
        try {
            holds.add(contender.tryAcquire(name).orElseThrow());
            return true;
        } catch (SQLTransientConnectionException poolEmpty) {
            return false;
        }
    }
}
