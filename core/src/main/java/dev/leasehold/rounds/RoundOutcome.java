package dev.leasehold.rounds;

/** How a run of a round ended. */
public enum RoundOutcome {
    /** The work returned, and the slot is counted. */
    DONE,
    /** The work threw; the slot is counted all the same, and the next slot runs. */
    FAILED,
    /** The lease was lost before the end: the slot is not counted by this run. */
    LOST
}
