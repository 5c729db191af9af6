package dev.leasehold;

/** Why a lease is lost: what the renewal or the release found in its place. */
public enum LossReason {
    /** The row was deleted, or the table emptied. */
    DELETED,
    /** The row is another holder's, or of another fence: it was taken over, or an older copy of it was restored. */
    TAKEN_OVER,
    /** The row was released by somebody else, an operator perhaps. */
    RELEASED_BY_OTHERS,
    /**
     * The holder has released it, but that could not be done within two ttl: the database was away, or another transaction had
     * the row locked. It runs out as that of a holder that died, and a slot that it should have counted may run again.
     */
    RELEASE_GIVEN_UP
}
