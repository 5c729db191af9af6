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
import dev.leasehold.benchmarks.subject.Leasehold;
import dev.leasehold.benchmarks.subject.LeaseholdCounted;
import dev.leasehold.benchmarks.subject.Subject;
import dev.leasehold.benchmarks.subject.Subjects;
import java.util.List;
import java.util.OptionalDouble;

/** The goal to be above every peer library that keeps a table, figure by figure. */
final class Peers {

    private static final String OURS = Leasehold.LABEL;
    private static final String COUNTED = LeaseholdCounted.LABEL;

    private Peers() {}

    /**
     * A figure to be better in.
     *
     * @param ours our row; a peer's row is called after it, or has what is added to its label
     * @param orEqual whether as good as the best peer is good enough, where nothing better is possible
     */
    private record Contest(
            String what, String scenario, String ours, String suffix, String column, boolean less, boolean orEqual) {}

    private static final List<Contest> CONTESTS = List.of(
            less("acquire, to a bare commit", AcquireLatency.NAME, OURS, AcquireLatency.RATIO),
            less("acquire from afar, to a bare commit", AcquireLatency.FAR, OURS, AcquireLatency.RATIO),
            more("pairs, 1 thread, to the floor", Pairs.NAME, OURS, Pairs.ONE_RATIO),
            more("pairs, 8 threads, to the floor", Pairs.NAME, OURS, Pairs.MANY_RATIO),
            more("pairs, 8 threads, an instance each, to the floor", Pairs.NAME, Pairs.apart(OURS), Pairs.MANY_RATIO),
            more("counted pairs, 1 thread, to the floor", Pairs.NAME, COUNTED, Pairs.ONE_RATIO),
            more("counted pairs, 8 threads, to the floor", Pairs.NAME, COUNTED, Pairs.MANY_RATIO),
            more(
                    "counted pairs, 8 threads, an instance each, to the floor",
                    Pairs.NAME,
                    Pairs.apart(COUNTED),
                    Pairs.MANY_RATIO),
            more("refusals, 8 threads of one instance, to the floor", Refusals.NAME, OURS, Refusals.RATIO),
            more("refusals, an instance each, to the floor", Refusals.NAME, Refusals.apart(OURS), Refusals.RATIO),
            noMore("WAL bytes a refusal", Refusals.NAME, Refusals.apart(OURS), Refusals.WAL),
            less("transaction ids a herd", Herd.NAME, OURS, Herd.IDS),
            less("slowest loser of a herd, ms", Herd.NAME, OURS, Herd.LOSER),
            noMore("round trips, acquire", RoundTrips.NAME, OURS, RoundTrips.ACQUIRE),
            noMore("round trips, release", RoundTrips.NAME, OURS, RoundTrips.RELEASE),
            noMore("round trips, refusal", RoundTrips.NAME, OURS, RoundTrips.REFUSAL),
            renewal(1_000),
            renewal(10_000),
            noMore("connections held with 8 locks", Connections.NAME, OURS, Connections.column(8)));

    private static Contest less(String what, String scenario, String ours, String column) {
        return new Contest(what, scenario, ours, "", column, true, false);
    }

    private static Contest noMore(String what, String scenario, String ours, String column) {
        return new Contest(what, scenario, ours, "", column, true, true);
    }

    private static Contest more(String what, String scenario, String ours, String column) {
        return new Contest(what, scenario, ours, "", column, false, false);
    }

    private static Contest renewal(int held) {
        String suffix = Renewal.row("", held);
        String what = "renewal of " + Markdown.number(held, 0) + ", ms a period";
        return new Contest(what, Renewal.NAME, OURS + suffix, suffix, Renewal.MILLIS, true, false);
    }

    static List<Goal> goals(Figures figures) {
        return CONTESTS.stream().map(contest -> judge(figures, contest)).toList();
    }

    private static Goal judge(Figures figures, Contest contest) {
        String goal = (contest.orEqual() ? "no peer library better: " : "above every peer library: ") + contest.what();
        OptionalDouble ours = figures.value(contest.scenario(), contest.ours(), contest.column());
        String best = "";
        double bestValue = Double.NaN;
        for (Subject peer : Subjects.ALL) {
            OptionalDouble value = peer.isPeerLibrary()
                    ? figures.value(contest.scenario(), peer.label() + contest.suffix(), contest.column())
                    : OptionalDouble.empty();
            if (value.isPresent() && (best.isEmpty() || isBetter(contest, value.getAsDouble(), bestValue))) {
                best = peer.label();
                bestValue = value.getAsDouble();
            }
        }
        if (ours.isEmpty() || best.isEmpty()) {
            return Goal.notMeasured(goal);
        }
        boolean reached = contest.orEqual()
                ? !isBetter(contest, bestValue, ours.getAsDouble())
                : isBetter(contest, ours.getAsDouble(), bestValue);
        String measured = number(ours.getAsDouble()) + "; best peer: " + number(bestValue) + " (" + best + ")";
        return Goal.of(goal, measured, reached, best + whyBetter(contest));
    }

    private static String whyBetter(Contest contest) {
        boolean isFelt = contest.scenario().equals(AcquireLatency.NAME)
                || contest.scenario().equals(Pairs.NAME)
                || contest.scenario().equals(Refusals.NAME);
        return isFelt ? " sends from the caller's thread, without a hand-over" : " is better";
    }

    private static boolean isBetter(Contest contest, double one, double other) {
        return contest.less() ? one < other : one > other;
    }

    private static String number(double value) {
        return Markdown.number(value, value >= 100 ? 0 : 2);
    }
}
