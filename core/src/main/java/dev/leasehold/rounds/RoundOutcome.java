package dev.leasehold.rounds;

/** How a run of a round ended. */
public enum RoundOutcome {
    /** The work returned, be it after its run timeout: then it was done all the same. */
    DONE,
    /**
     * The work threw, or returned without the finish that {@link Promise#EXACTLY_ONCE} needs or without its commit, or has
     * released the round's lease itself.
     */
    FAILED,
    /** The work was interrupted, for it took longer than the run timeout, and threw. */
    TIMED_OUT,
    /** The work was interrupted, for the rounds were stopped, and threw. Its slot stays due unless it counted at its begin. */
    STOPPED,
    /** The lease was lost before the end, or the work gave up because it was not known to be held: this run counts for nothing. */
    LOST,
    /** The work was not begun: holders before had died one after the other, as many as the limit allows. The slot counts. */
    GIVEN_UP,
    /** The holder died, as its taker found. */
    DIED
}
