package dev.leasehold.benchmarks.goals;

import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.report.Figures;
import dev.leasehold.benchmarks.scenario.AcquireLatency;
import dev.leasehold.benchmarks.scenario.Pairs;
import dev.leasehold.benchmarks.scenario.Refusals;
import dev.leasehold.benchmarks.scenario.Renewal;
import dev.leasehold.benchmarks.subject.Floor;
import dev.leasehold.benchmarks.subject.Original;
import java.util.Locale;

/** By how much a goal was missed, and what else the run says about it. */
final class Shortfall {

    private Shortfall() {}

    static String micros(Figures figures, String who) {
        double bare = value(figures, AcquireLatency.NAME, Floor.UPDATE, AcquireLatency.MICROS);
        double ratio = value(figures, AcquireLatency.NAME, who, AcquireLatency.RATIO);
        double upsert = value(figures, AcquireLatency.NAME, Original.LABEL, AcquireLatency.RATIO);
        double trip = value(figures, AcquireLatency.NAME, Floor.SELECT, AcquireLatency.MICROS);
        return text(
                "the hand-over to a sending thread and back, which bounds the call whatever the pool does, and a look at"
                        + " the row: %,.0f us more than a bare commit of %,.0f us; the original upsert, on the caller's"
                        + " thread, takes %,.0f us, a bare round trip %,.0f us",
                bare * (ratio - 1), bare, bare * upsert, trip);
    }

    /** A goal may be to be faster than the floor, so the three times are told, and no difference. */
    static String pairs(Figures figures, String who, String perSecond, String ratio, double goal) {
        int threads = perSecond.equals(Pairs.ONE) ? 1 : Bench.MANY_THREADS;
        double bare = threads * 1e6 / value(figures, Pairs.NAME, Floor.UPDATE, perSecond);
        return text(
                "two hand-overs between threads, and statements that lock a row before they update it: a pair takes a"
                        + " thread %,.0f us, and may take %,.0f us; the floor's takes it %,.0f us",
                bare / value(figures, Pairs.NAME, who, ratio), bare / goal, bare);
    }

    static String refusals(Figures figures, String who) {
        double bare = Bench.MANY_THREADS * 1e6 / value(figures, Refusals.NAME, Floor.SELECT, Refusals.PER_SECOND);
        double more = bare * (1 / value(figures, Refusals.NAME, who, Refusals.RATIO) - 1);
        return text(
                "the hand-over to a sending thread and back: a refusal takes a thread %,.0f us more than a bare SELECT 1, which takes it %,.0f us",
                more, bare);
    }

    static String renewal(Figures figures, String plan, int held) {
        double ours = value(figures, Renewal.NAME, Renewal.row(plan, held), Renewal.MILLIS);
        double bare = value(figures, Renewal.NAME, Renewal.row(Floor.UPDATE, held), Renewal.MILLIS);
        return text(
                "each row is locked before it is updated, so that one that another has locked is skipped: %,.2f ms, a"
                        + " bare UPDATE of as many rows %,.2f ms",
                ours, bare);
    }

    private static double value(Figures figures, String scenario, String row, String column) {
        return figures.value(scenario, row, column).orElse(Double.NaN);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
