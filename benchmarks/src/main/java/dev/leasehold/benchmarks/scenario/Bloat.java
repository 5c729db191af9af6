package dev.leasehold.benchmarks.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.harness.Crew;
import dev.leasehold.benchmarks.harness.Median;
import dev.leasehold.benchmarks.report.Column;
import dev.leasehold.benchmarks.report.Table;
import dev.leasehold.benchmarks.subject.Contender;
import dev.leasehold.benchmarks.subject.Floor;
import dev.leasehold.benchmarks.subject.Hold;
import dev.leasehold.benchmarks.subject.Subject;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** What is left of many acquisitions and releases, also while an old transaction keeps vacuum from its work. */
public final class Bloat implements Scenario {

    public static final String NAME = "bloat";
    public static final String CYCLES = "cycles";
    public static final String TABLE = "table, kB";
    public static final String INDEXES = "indexes, kB";
    public static final String BEFORE = "acquire before, to a bare UPDATE";
    public static final String AFTER = "acquire after, to a bare UPDATE";

    private static final int NAMES_OF_A_THREAD = 125;
    /** As many as a busy cluster has: old versions of one row alone cost whoever reads it their square. */
    private static final int NAMES = NAMES_OF_A_THREAD * Bench.MANY_THREADS;

    /** What is added to a subject's label where vacuum is held back. */
    public static final String HELD_BACK = ", vacuum held back";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Table measure(Bench bench) throws Exception {
        var rows = new ArrayList<Table.Row>();
        for (Subject subject : bench.subjects()) {
            if (subject.table().isPresent()) {
                String table = subject.table().get();
                bench.progress().say(NAME + ": " + subject.label());
                rows.add(cycled(bench, subject, table, subject.label()));
                bench.progress().say(NAME + ": " + subject.label() + HELD_BACK);
                try (Connection old = bench.server().database().connect()) {
                    old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                    old.setAutoCommit(false);
                    old.createStatement().execute("select count(*) from pg_class");
                    rows.add(cycled(bench, subject, table, subject.label() + HELD_BACK));
                    old.rollback();
                }
            }
        }
        return new Table(
                NAME,
                "after many acquisitions and releases of " + NAMES + " names by eight threads",
                List.of(
                        new Column(CYCLES, 0),
                        new Column(TABLE, 0),
                        new Column(INDEXES, 0),
                        new Column(BEFORE, 2),
                        new Column(AFTER, 2)),
                rows,
                List.of(
                        "Cycles asked for: " + bench.sizes().cycles() + ", or as many as fit in "
                                + bench.sizes().longestCycling().toSeconds()
                                + " s (--cycles N sets the first and lifts the"
                                + " second).",
                        "Autovacuum is on with its defaults; a vacuum is held back by an open repeatable-read transaction,"
                                + " which is still open when the acquire is timed afterwards. While it is, the bare UPDATE"
                                + " has its own dead rows to pass, a few dozen."));
    }

    private static Table.Row cycled(Bench bench, Subject subject, String table, String label) throws Exception {
        bench.server().empty(table);
        try (HikariDataSource pool = bench.pool();
                Contender contender = subject.contender(pool, OpenContenders.LONG_TTL);
                var crew = new Crew(Bench.MANY_THREADS)) {
            Floor floor = bench.floor(
                    pool, IntStream.range(0, NAMES).mapToObj(Bloat::name).toList());
            crew.workTurns(NAMES / Bench.MANY_THREADS, (thread, turn) -> cycle(contender, thread, turn));
            double before = acquireToBareUpdate(bench, contender, floor);
            var refused = new LongAdder();
            Crew.Done done = crew.workFor(
                    bench.sizes().longestCycling(),
                    bench.sizes().cycles(),
                    (thread, turn) -> refused.add(cycle(contender, thread, turn) ? 0 : 1));
            double after = acquireToBareUpdate(bench, contender, floor);
            return new Table.Row(
                    label,
                    List.of(
                            (double) done.turns() - refused.sum(),
                            bench.server().tableBytes(table) / 1024.0,
                            bench.server().indexBytes(table) / 1024.0,
                            before,
                            after));
        }
    }

    /** Each thread goes round its own names, so that none of them is asked for by two. */
    private static boolean cycle(Contender contender, int thread, int turn) throws Exception {
        Optional<Hold> hold = contender.tryAcquire(name(thread + Bench.MANY_THREADS * (turn % NAMES_OF_A_THREAD)));
        if (hold.isPresent()) {
            hold.get().release();
        }
        return hold.isPresent();
    }

    /** In turn with bare commits, for a disk may be faster now and slower a minute later. */
    private static double acquireToBareUpdate(Bench bench, Contender contender, Floor floor) throws Exception {
        int times = bench.sizes().attempts() * 2;
        double[] ratios = new double[times];
        for (int turn = 0; turn < times; turn++) {
            String name = name(turn % NAMES);
            long before = System.nanoTime();
            floor.update(name);
            long between = System.nanoTime();
            Hold hold = contender.tryAcquire(name).orElseThrow();
            ratios[turn] = (double) (System.nanoTime() - between) / (between - before);
            hold.release();
        }
        return Median.of(ratios);
    }

    private static String name(int number) {
        return NAME + "-" + number;
    }
}
