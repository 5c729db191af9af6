package dev.leasehold;

import java.time.Duration;

/** What the parts of one {@link Leases} share. */
record Wiring(
        LeaseTable table,
        Lane callers,
        Lane renewal,
        Lane later,
        Background background,
        Listeners listeners,
        LeaseTerms terms,
        Ticker ticker) {

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    /** How long any one statement may take, borrowing included: never near the end of a lease. */
    Duration bound() {
        return terms.renewEvery().compareTo(LONGEST_WAIT) < 0 ? terms.renewEvery() : LONGEST_WAIT;
    }
}
