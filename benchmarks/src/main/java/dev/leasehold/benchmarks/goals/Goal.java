package dev.leasehold.benchmarks.goals;

/**
 * One goal, and what became of it.
 *
 * @param measured what was measured, in words
 * @param verdict whether it is reached
 * @param reason why not; empty if it is
 */
public record Goal(String goal, String measured, Verdict verdict, String reason) {

    /** Whether a goal is reached. */
    public enum Verdict {
        YES,
        NO,
        NOT_MEASURED
    }

    static Goal notMeasured(String goal) {
        return new Goal(goal, "", Verdict.NOT_MEASURED, "");
    }

    static Goal of(String goal, String measured, boolean reached, String reason) {
        return new Goal(goal, measured, reached ? Verdict.YES : Verdict.NO, reached ? "" : reason);
    }
}
