package dev.leasehold.benchmarks.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.RenewalStatement;
import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.harness.Median;
import dev.leasehold.benchmarks.report.Column;
import dev.leasehold.benchmarks.report.Table;
import dev.leasehold.benchmarks.subject.Floor;
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

    private static final int PREPARED_AFTER = 6;

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
            rows.addAll(measure(bench, held));
        }
        return new Table(
                NAME,
                "keeping many leases for one renewal period",
                List.of(new Column(MILLIS, 2), new Column(STATEMENTS, 2), new Column(RATIO, 2)),
                rows,
                List.of(
                        "The bare UPDATE sets one column of as many rows, found by name = any(...).",
                        Leasehold.LABEL + ": leases really held, and renewed in the background every "
                                + bench.sizes().renewEvery().toMillis() + " ms. With custom and generic plan: the"
                                + " statement that renews all of them, by itself, in turn with the bare UPDATE on the"
                                + " same pool, plan_cache_mode set to force_custom_plan and force_generic_plan.",
                        "The others have one call for each hold, made by one thread, one after the other; commits are not"
                                + " counted as statements. Measured up to "
                                + bench.sizes().heldByPeers()
                                + " held, and from as many calls as fit in "
                                + bench.sizes().longestPass().toSeconds() + " s."));
    }

    private static List<Table.Row> measure(Bench bench, int held) throws Exception {
        List<String> names =
                IntStream.range(0, held).mapToObj(i -> NAME + "-" + i).toList();
        bench.server().empty("leases");
        bench.progress().say(NAME + ": " + held + " held by " + Leasehold.LABEL);
        KeptLeases kept = KeptLeases.watch(bench, names);
        var renewal = new RenewalStatement(kept.held(), bench.sizes().renewEvery());
        Turns custom = turns(bench, names, renewal, "force_custom_plan");
        Turns generic = turns(bench, names, renewal, "force_generic_plan");
        bench.server().empty("leases");

        double floor = (custom.floorMillis() + generic.floorMillis()) / 2;
        var rows = new ArrayList<Table.Row>();
        rows.add(figures(row(Floor.UPDATE, held), floor, 1, floor));
        rows.add(figures(row(Leasehold.LABEL, held), kept.millis(), kept.statements(), floor));
        rows.add(new Table.Row(row(CUSTOM, held), List.of(custom.renewalMillis(), 1.0, custom.ratio())));
        rows.add(new Table.Row(row(GENERIC, held), List.of(generic.renewalMillis(), 1.0, generic.ratio())));
        for (Subject subject : bench.subjects()) {
            boolean isOurs = List.of(Leasehold.LABEL, LeaseholdCounted.LABEL).contains(subject.label());
            if (!isOurs && !subject.renewsByItself() && held <= bench.sizes().heldByPeers()) {
                bench.progress().say(NAME + ": " + held + " held by " + subject.label());
                OneByOne pass = OneByOne.measure(bench, subject, names);
                rows.add(figures(row(subject.label(), held), pass.millis(), pass.statements(), floor));
            }
        }
        return rows;
    }

    private static Table.Row figures(String label, double millis, double statements, double floorMillis) {
        return new Table.Row(label, List.of(millis, statements, millis / floorMillis));
    }

    private record Turns(double floorMillis, double renewalMillis, double ratio) {}

    private static Turns turns(Bench bench, List<String> names, RenewalStatement renewal, String planCacheMode)
            throws Exception {
        String[] rows = names.toArray(String[]::new);
        var floorMillis = new ArrayList<Double>();
        var renewalMillis = new ArrayList<Double>();
        var ratios = new ArrayList<Double>();
        try (HikariDataSource pool = bench.pool("-c plan_cache_mode=" + planCacheMode)) {
            Floor floor = bench.floor(pool, names);
            bench.settle();
            for (int turn = -PREPARED_AFTER; turn < bench.sizes().attempts() / 2; turn++) {
                long before = System.nanoTime();
                floor.updateAll(rows);
                long between = System.nanoTime();
                try (var connection = pool.getConnection()) {
                    renewal.run(connection);
                }
                long after = System.nanoTime();
                if (turn >= 0) {
                    floorMillis.add((between - before) / 1e6);
                    renewalMillis.add((after - between) / 1e6);
                    ratios.add((double) (after - between) / (between - before));
                }
            }
        }
        return new Turns(Median.of(floorMillis), Median.of(renewalMillis), Median.of(ratios));
    }
}
