package dev.leasehold.benchmarks.goals;

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
        double ours = value(figures, AcquireLatency.NAME, who, AcquireLatency.MICROS);
        double bare = value(figures, AcquireLatency.NAME, Floor.UPDATE, AcquireLatency.MICROS);
        double plain = value(figures, AcquireLatency.NAME, Original.LABEL, AcquireLatency.MICROS);
        double trip = value(figures, AcquireLatency.NAME, Floor.SELECT, AcquireLatency.MICROS);
        return text(
                "%,.0f us, the bare commit %,.0f us: %,.0f us more; the original upsert on the caller's thread took"
                        + " %,.0f us, a bare round trip %,.0f us",
                ours, bare, ours - bare, plain, trip);
    }

    static String pairs(Figures figures, String who, String perSecond) {
        double ours = value(figures, Pairs.NAME, who, perSecond);
        double bare = value(figures, Pairs.NAME, Floor.UPDATE, perSecond);
        int threads = perSecond.equals(Pairs.ONE) ? 1 : 8;
        return text(
                "%,.0f pairs a second against %,.0f: a pair takes each thread %,.0f us more than two bare commits",
                ours, bare, threads * (1e6 / ours - 1e6 / bare));
    }

    static String refusals(Figures figures, String who) {
        double ours = value(figures, Refusals.NAME, who, Refusals.PER_SECOND);
        double bare = value(figures, Refusals.NAME, Floor.SELECT, Refusals.PER_SECOND);
        return text(
                "%,.0f a second against %,.0f: a refusal takes %,.0f us, a bare SELECT 1 %,.0f us, of all threads"
                        + " together",
                ours, bare, 1e6 / ours, 1e6 / bare);
    }

    static String renewal(Figures figures, String plan, int held) {
        double ours = value(figures, Renewal.NAME, Renewal.row(plan, held), Renewal.MILLIS);
        double bare = value(figures, Renewal.NAME, Renewal.row(Floor.UPDATE, held), Renewal.MILLIS);
        return text("%,.2f ms, a bare UPDATE of as many rows %,.2f ms", ours, bare);
    }

    private static double value(Figures figures, String scenario, String row, String column) {
        return figures.value(scenario, row, column).orElse(Double.NaN);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
