package dev.leasehold;

import java.time.Instant;

/** Where readings of this machine's clocks come from. */
@FunctionalInterface
interface Ticker {

    Reading read();

    static Ticker system() {
        return () -> new Reading(System.nanoTime(), Instant.now());
    }
}
