package dev.leasehold.rounds;

/** What is promised about the runs of a slot, whatever happens to the instance that runs it. No more is promised than this. */
public enum Promise {
    /** The slot counts when its run has ended. A holder that dies in mid-run leaves it due: it may run twice. */
    AT_LEAST_ONCE,
    /**
     * The slot counts when its lease is acquired. A holder that dies in mid-run leaves it counted: it may not run, or not to its
     * end; nor if the answer to the acquisition was lost.
     */
    AT_MOST_ONCE,
    /**
     * For effects in the database of the leases: the slot counts by {@link dev.leasehold.Lease#finish} in the transaction that
     * has the effects, which are there once then, and not at all before. A holder that dies, and a run that fails, leave it due,
     * and nothing of them is visible. Work in a fenced transaction must not leave it idle for longer than the leases' ttl.
     */
    EXACTLY_ONCE
}
