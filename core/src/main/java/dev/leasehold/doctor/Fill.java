package dev.leasehold.doctor;

/** How much of a limit is used. */
record Fill(int used, int limit) {

    private static final int RISK_PERCENT = 80;
    private static final int PROBLEM_PERCENT = 95;

    /** A deploy, for whose time there are twice as many instances, needs more than the last fifth. */
    Severity severity() {
        if (used >= limit || percent() >= PROBLEM_PERCENT) {
            return Severity.PROBLEM;
        }
        return percent() >= RISK_PERCENT ? Severity.RISK : Severity.INFORMATION;
    }

    private long percent() {
        return used * 100L / limit;
    }

    boolean isFull() {
        return used >= limit;
    }
}
