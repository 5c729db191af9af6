package dev.leasehold;

/** Work that runs while a lease is held. */
@FunctionalInterface
public interface LeasedWork<E extends Exception> {

    void run(Lease lease) throws E;
}
