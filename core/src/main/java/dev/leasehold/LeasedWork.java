package dev.leasehold;

/** Work that runs while a lease is held. */
@FunctionalInterface
public interface LeasedWork<E extends Exception> {

    /**
     * Does the work, on the thread that acquired the lease.
     *
     * @throws E whatever the work throws; the lease is released
     */
    void run(Lease lease) throws E;
}
