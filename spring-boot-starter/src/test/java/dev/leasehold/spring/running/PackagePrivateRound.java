package dev.leasehold.spring.running;

import dev.leasehold.spring.Round;

/** A round whose method only this package can call. */
public class PackagePrivateRound {

    @Round(name = "report", every = "1h")
    void report() {}
}
