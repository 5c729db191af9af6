package dev.leasehold.spring.integration;

import dev.leasehold.Lease;

/** A thread's hold of a lock from its outermost lock to its last unlock: one lease. Thread-safe. */
final class Hold {

    private final Thread owner = Thread.currentThread();
    private final Lease lease;
    private boolean hasEnded;
    private boolean hasInterrupted;

    Hold(Lease lease) {
        this.lease = lease;
    }

    Lease lease() {
        return lease;
    }

    synchronized boolean hasEnded() {
        return hasEnded;
    }

    /** Never after the end, when the thread may be about something else. */
    synchronized void interruptOwner() {
        if (!hasEnded) {
            hasInterrupted = true;
            owner.interrupt();
        }
    }

    /** Called by the owner. Takes back the flag that {@link #interruptOwner} has set. */
    synchronized void end() {
        hasEnded = true;
        if (hasInterrupted) {
            Thread.interrupted();
        }
    }
}
