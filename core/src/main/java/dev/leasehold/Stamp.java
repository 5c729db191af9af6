package dev.leasehold;

/** When the slot of a lease is stamped as counted, so that it is not due again. */
public enum Stamp {
    /** By {@link Lease#releaseDone()} or {@link Lease#finish}: a holder that dies leaves the slot due. */
    AT_END,
    /** By the acquisition: a holder that dies leaves the slot counted. */
    AT_ACQUIRE,
    /**
     * Never, and the lease is acquired whether its slot is due or not, and also if it rests: an extra run, which leaves the
     * schedule as it is.
     */
    NEVER
}
