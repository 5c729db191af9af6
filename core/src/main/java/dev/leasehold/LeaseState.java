package dev.leasehold;

/** What a holder knows of its lease at one moment. */
public enum LeaseState {
    /** The own deadline has not passed: nobody else can have acquired the lease. */
    HELD,
    /** The own deadline has passed without a confirmed renewal: somebody may have taken the lease over, or nobody. */
    UNCONFIRMED,
    /** The row is gone, released or another's. Final. */
    LOST,
    /** Released by this holder. Final. */
    RELEASED
}
