package dev.leasehold;

/** What became of a release. */
public enum ReleaseOutcome {
    /** The lease is free. */
    RELEASED,
    /** The row is locked by another, or the database did not answer: the release goes on in the background. */
    PENDING,
    /** The lease had been lost before: somebody else may have held it while the work still ran. */
    LOST
}
