package dev.leasehold.benchmarks.goals;

import dev.leasehold.benchmarks.report.Figures;
import dev.leasehold.benchmarks.report.Markdown;
import java.util.OptionalDouble;

/** A goal that is a bound on one figure. */
record Bound(String goal, Side side, double bound, int decimals, Reason reason) {

    /** On which side of the bound it is good to be. */
    enum Side {
        AT_MOST,
        AT_LEAST
    }

    /** Why a figure missed its bound, from other figures of the same run. */
    @FunctionalInterface
    interface Reason {
        String of(Figures figures);
    }

    static Bound atMost(String goal, double bound, int decimals, Reason reason) {
        return new Bound(goal, Side.AT_MOST, bound, decimals, reason);
    }

    static Bound atLeast(String goal, double bound, int decimals, Reason reason) {
        return new Bound(goal, Side.AT_LEAST, bound, decimals, reason);
    }

    Goal judge(Figures figures, OptionalDouble value) {
        if (value.isEmpty()) {
            return Goal.notMeasured(goal);
        }
        // as it is shown, so that the table doesn't contradict itself
        double shown = Math.round(value.getAsDouble() * Math.pow(10, decimals)) / Math.pow(10, decimals);
        boolean reached = side == Side.AT_MOST ? shown <= bound : shown >= bound;
        return Goal.of(goal, Markdown.number(shown, decimals), reached, reason.of(figures));
    }
}
