package dev.leasehold;

/** What happens to work whose lease is lost, or unconfirmed at its own deadline. */
public enum LossPolicy {
    /** The work goes on; it may ask {@link Lease#isHeld()}. For work that bears a second run beside it. */
    GO_ON,
    /**
     * The thread that works is interrupted, when the lease is found lost or soon after its own deadline, whichever comes first. From
     * then on no transaction on it passes the lease's fence. Its interrupt flag is cleared when the work has ended; an interrupt
     * by somebody else in the same moment is cleared with it.
     */
    INTERRUPT
}
