package dev.leasehold.benchmarks.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.harness.Median;
import dev.leasehold.benchmarks.harness.MeteredDataSource;
import dev.leasehold.benchmarks.report.Column;
import dev.leasehold.benchmarks.report.Table;
import dev.leasehold.benchmarks.subject.Contender;
import dev.leasehold.benchmarks.subject.Floor;
import dev.leasehold.benchmarks.subject.Hold;
import dev.leasehold.benchmarks.subject.Leasehold;
import dev.leasehold.benchmarks.subject.LeaseholdCounted;
import dev.leasehold.benchmarks.subject.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** What it takes to keep many leases for one renewal period. */
public final class Renewal implements Scenario {

    public static final String NAME = "renewal";
    public static final String MILLIS = "a period, ms";
    public static final String STATEMENTS = "statements a period";
    public static final String RATIO = "to one bare UPDATE of the same rows";
    public static final String CUSTOM = Leasehold.LABEL + ", custom plan";
    public static final String GENERIC = Leasehold.LABEL + ", generic plan";

    @Override
    public String name() {
        return NAME;
    }

    /** How the row of a subject is called that holds so many. */
    public static String row(String label, int held) {
        return label + String.format(Locale.ROOT, ", %,d held", held);
    }

    @Override
    public Table measure(Bench bench) throws Exception {
        var rows = new ArrayList<Table.Row>();
        for (int held : bench.sizes().held()) {
            List<String> names =
                    IntStream.range(0, held).mapToObj(i -> NAME + "-" + i).toList();
            try (HikariDataSource floorPool = bench.pool()) {
                Floor floor = bench.floor(floorPool, names);
                measure(bench, floor, names, rows);
            }
        }
        return new Table(
                NAME,
                "keeping 1 to 10,000 leases for one renewal period",
                List.of(new Column(MILLIS, 2), new Column(STATEMENTS, 2), new Column(RATIO, 2)),
                rows,
                List.of(
                        "Ours: leases really held and renewed in the background every "
                                + bench.sizes().renewEvery().toMillis() + " ms, once with plan_cache_mode ="
                                + " force_custom_plan and once with force_generic_plan; after each renewal the floor"
                                + " updates as many rows once.",
                        "Fewer or more than one statement a period: a period begins when the last renewal was sent, and"
                                + " leases acquired at different times come together only by and by.",
                        "The others have one call for each hold, made by one thread, one after the other; measured up to "
                                + bench.sizes().heldByPeers()
                                + " held. Their commits are no statements here, but in the"
                                + " time."));
    }

    private static void measure(Bench bench, Floor floor, List<String> names, List<Table.Row> rows) throws Exception {
        int held = names.size();
        var floorMillis = new ArrayList<Double>();
        var ours = new ArrayList<Table.Row>();
        for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
            bench.progress().say(NAME + ": " + held + " held, " + mode);
            KeptLeases kept = KeptLeases.measure(bench, mode, names, floor);
            floorMillis.addAll(kept.floorMillis());
            String label = mode.equals("force_custom_plan") ? CUSTOM : GENERIC;
            ours.add(new Table.Row(row(label, held), List.of(kept.millis(), kept.statements(), 0.0)));
        }
        double bare = Median.of(floorMillis);
        rows.add(new Table.Row(row(Floor.UPDATE, held), List.of(bare, 1.0, 1.0)));
        ours.forEach(row -> rows.add(withRatio(row, bare)));
        for (Subject subject : bench.subjects()) {
            boolean isOurs = List.of(Leasehold.LABEL, LeaseholdCounted.LABEL).contains(subject.label());
            if (!isOurs && !subject.renewsByItself() && held <= bench.sizes().heldByPeers()) {
                bench.progress().say(NAME + ": " + held + " held, " + subject.label());
                rows.add(withRatio(oneByOne(bench, subject, names), bare));
            }
        }
    }

    private static Table.Row withRatio(Table.Row row, double bare) {
        double millis = row.values().get(0);
        return new Table.Row(row.label(), List.of(millis, row.values().get(1), millis / bare));
    }

    private static Table.Row oneByOne(Bench bench, Subject subject, List<String> names) throws Exception {
        String table = subject.table().orElseThrow();
        bench.server().empty(table);
        try (HikariDataSource pool = bench.pool()) {
            var metered = new MeteredDataSource(pool);
            try (Contender contender = subject.contender(metered, OpenContenders.LONG_TTL)) {
                var holds = new ArrayList<Hold>();
                for (String name : names) {
                    holds.add(contender.tryAcquire(name).orElseThrow());
                }
                bench.settle();
                int passes = names.size() < 1_000 ? bench.sizes().periods() : 2;
                var millis = new ArrayList<Double>();
                long before = metered.statements();
                for (int pass = 0; pass < passes; pass++) {
                    long began = System.nanoTime();
                    for (Hold hold : holds) {
                        hold.renew();
                    }
                    millis.add((System.nanoTime() - began) / 1e6);
                }
                double statements = (double) (metered.statements() - before) / passes;
                return new Table.Row(row(subject.label(), names.size()), List.of(Median.of(millis), statements, 0.0));
            }
        } finally {
            bench.server().empty(table);
        }
    }
}
