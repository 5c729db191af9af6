package dev.leasehold.rounds;

/** How a run of a round ended. */
public enum RoundOutcome {
    /** The work returned, and the slot is counted, or its stamp goes on in the background. */
    DONE,
    /** The work threw; the slot counts all the same. */
    FAILED,
    /** The lease was lost before the end: the slot is not counted by this run. */
    LOST
}
