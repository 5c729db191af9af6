package dev.leasehold.spring.running;

import dev.leasehold.spring.Exclusive;

/** A job whose method only this package can call. */
public class PackagePrivateJob {

    @Exclusive("sweep")
    void sweep() {}
}
