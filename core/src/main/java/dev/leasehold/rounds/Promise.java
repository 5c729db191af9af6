package dev.leasehold.rounds;

/** What is promised about the runs of a slot, whatever happens to the instance that runs it. No more is promised than this. */
public enum Promise {
    /** The slot counts when its run has ended. A holder that dies in mid-run leaves it due: it may run twice. */
    AT_LEAST_ONCE,
    /** The slot counts when its run begins. A holder that dies in mid-run leaves it counted: it may not run, or not to its end. */
    AT_MOST_ONCE,
    /**
     * For effects in the database of the leases: the slot counts by {@link dev.leasehold.Lease#finish} in the transaction that
     * has the effects, which are there once then, and not at all before. A holder that dies leaves it due, and nothing of its
     * run is visible.
     */
    EXACTLY_ONCE
}
