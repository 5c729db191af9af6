package dev.leasehold.benchmarks.goals;

import dev.leasehold.benchmarks.report.Figures;
import dev.leasehold.benchmarks.report.Markdown;
import dev.leasehold.benchmarks.scenario.AcquireLatency;
import dev.leasehold.benchmarks.scenario.Connections;
import dev.leasehold.benchmarks.scenario.Herd;
import dev.leasehold.benchmarks.scenario.Pairs;
import dev.leasehold.benchmarks.scenario.Refusals;
import dev.leasehold.benchmarks.scenario.Renewal;
import dev.leasehold.benchmarks.scenario.RoundTrips;
import dev.leasehold.benchmarks.subject.Floor;
import dev.leasehold.benchmarks.subject.Leasehold;
import dev.leasehold.benchmarks.subject.LeaseholdCounted;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.UnaryOperator;

/** What the project wants of itself, judged by the figures of one run. */
public final class Goals {

    private static final String OURS = Leasehold.LABEL;
    private static final String COUNTED = LeaseholdCounted.LABEL;
    private static final int MANY_HELD = 1_000;
    private static final int MOST_HELD = 10_000;

    private Goals() {}

    public static List<Goal> of(Figures figures) {
        var goals = new ArrayList<Goal>();
        speed(figures, goals);
        quiet(figures, goals);
        renewal(figures, goals);
        goals.addAll(Peers.goals(figures));
        return goals;
    }

    private static void speed(Figures figures, List<Goal> goals) {
        goals.add(Bound.atMost(
                        "acquire: median at most 1.10 of one bare UPDATE commit",
                        1.10,
                        2,
                        all -> Shortfall.micros(all, OURS))
                .judge(figures, figures.value(AcquireLatency.NAME, OURS, AcquireLatency.RATIO)));
        goals.add(Bound.atMost(
                        "acquire, a millisecond of network: median at most 1.10 of one bare UPDATE commit",
                        1.10,
                        2,
                        all -> "the hand-over to a sending thread and back, and a look at the row")
                .judge(figures, figures.value(AcquireLatency.FAR, OURS, AcquireLatency.RATIO)));
        pairs(figures, goals, "1 thread", Pairs.ONE, Pairs.ONE_RATIO, UnaryOperator.identity());
        pairs(figures, goals, "8 threads", Pairs.MANY, Pairs.MANY_RATIO, UnaryOperator.identity());
        pairs(figures, goals, "8 threads, an instance each", Pairs.MANY, Pairs.MANY_RATIO, Pairs::apart);
        refusals(figures, goals, "8 threads", OURS);
        refusals(figures, goals, "8 threads, an instance each", Refusals.apart(OURS));
    }

    private static void pairs(
            Figures figures, List<Goal> goals, String who, String perSecond, String ratio, UnaryOperator<String> row) {
        double counted = 0.90;
        goals.add(Bound.atLeast(
                        "pairs, " + who + ": counted release, at least 0.90 of two bare commits",
                        counted,
                        2,
                        all -> Shortfall.pairs(all, row.apply(COUNTED), perSecond, ratio, counted))
                .judge(figures, figures.value(Pairs.NAME, row.apply(COUNTED), ratio)));
        double plain = 1.10;
        goals.add(Bound.atLeast(
                        "pairs, " + who + ": plain release, at least 1.10 of two bare commits",
                        plain,
                        2,
                        all -> Shortfall.pairs(all, row.apply(OURS), perSecond, ratio, plain))
                .judge(figures, figures.value(Pairs.NAME, row.apply(OURS), ratio)));
    }

    private static void refusals(Figures figures, List<Goal> goals, String who, String row) {
        goals.add(Bound.atLeast(
                        "refusals, " + who + ": at least 0.60 of bare SELECT 1",
                        0.60,
                        2,
                        all -> Shortfall.refusals(all, row))
                .judge(figures, figures.value(Refusals.NAME, row, Refusals.RATIO)));
    }

    private static void quiet(Figures figures, List<Goal> goals) {
        String each = Refusals.apart(OURS);
        goals.add(exactly(figures, "refusals: 0 bytes of WAL", 0, Refusals.NAME, each, Refusals.WAL));
        goals.add(exactly(figures, "refusals: 0 transaction ids", 0, Refusals.NAME, each, Refusals.IDS));
        goals.add(Bound.atMost("herd of 8: at most 1.5 transaction ids", 1.5, 2, all -> "losers took ids of their own")
                .judge(figures, figures.value(Herd.NAME, OURS, Herd.IDS)));
        goals.add(exactly(figures, "herd of 8: no loser waits for a lock", 0, Herd.NAME, OURS, Herd.WAITED));
        for (String what : List.of(RoundTrips.ACQUIRE, RoundTrips.RELEASE, RoundTrips.REFUSAL)) {
            for (String who : List.of(OURS, COUNTED)) {
                goals.add(exactly(figures, "one round trip: " + what + ", " + who, 1, RoundTrips.NAME, who, what));
            }
        }
        goals.add(
                exactly(figures, "0 connections held with 8 leases", 0, Connections.NAME, OURS, Connections.column(8)));
    }

    private static Goal exactly(
            Figures figures, String goal, double value, String scenario, String row, String column) {
        return Bound.atMost(goal, value, 2, all -> "see the table " + scenario)
                .judge(figures, figures.value(scenario, row, column));
    }

    private static void renewal(Figures figures, List<Goal> goals) {
        OptionalDouble bare = figures.value(Renewal.NAME, Renewal.row(Floor.UPDATE, MANY_HELD), Renewal.MILLIS);
        for (String plan : List.of(Renewal.CUSTOM, Renewal.GENERIC)) {
            goals.add(Bound.atMost(
                            "renewal, " + plan.substring(OURS.length() + 2)
                                    + ": 1,000 leases take at most 2 times one bare UPDATE of the same rows",
                            2,
                            2,
                            all -> Shortfall.renewal(all, plan, MANY_HELD))
                    .judge(figures, figures.value(Renewal.NAME, Renewal.row(plan, MANY_HELD), Renewal.RATIO)));
            OptionalDouble most = figures.value(Renewal.NAME, Renewal.row(plan, MOST_HELD), Renewal.MILLIS);
            goals.add(Bound.atMost(
                            "renewal, " + plan.substring(OURS.length() + 2)
                                    + ": 10,000 leases take at most 20 times one bare UPDATE of 1,000 rows",
                            20,
                            1,
                            all -> Shortfall.renewal(all, plan, MOST_HELD))
                    .judge(
                            figures,
                            bare.isPresent() && most.isPresent()
                                    ? OptionalDouble.of(most.getAsDouble() / bare.getAsDouble())
                                    : OptionalDouble.empty()));
        }
        for (int held : List.of(MANY_HELD, MOST_HELD)) {
            goals.add(Bound.atMost(
                            "renewal: one statement a period for " + Markdown.number(held, 0)
                                    + " leases (at most 1.20)",
                            1.2,
                            2,
                            all -> "leases acquired at different times are renewed at different times")
                    .judge(figures, figures.value(Renewal.NAME, Renewal.row(OURS, held), Renewal.STATEMENTS)));
        }
    }
}
