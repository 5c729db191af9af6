package dev.leasehold;

/** The lease is not, or no longer known to be, held by the caller: work that relies on it must not go on. */
public class LeaseLostException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String holder;

    LeaseLostException(Lease lease, String message) {
        super(message);
        this.holder = lease.holder();
    }

    /** The holder of the lease that is meant: no two acquisitions have the same. */
    public String holder() {
        return holder;
    }
}
