package dev.leasehold;

import java.time.Duration;

/**
 * What the parts of one {@link Leases} share.
 *
 * @param shared the lane of callers and of background work
 * @param renewal the lane of the renewal alone
 */
record Wiring(
        LeaseTable table,
        SlotTable slots,
        Lane shared,
        Lane renewal,
        Background background,
        Listeners listeners,
        SafeMetrics metrics,
        LeaseTerms terms,
        Ticker ticker) {

    static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    /**
     * How long any one statement may take, borrowing included: at most half the time that a lease is trusted, so that one
     * that got no answer can be tried again.
     */
    Duration bound() {
        Duration half = terms.trust().dividedBy(2);
        return half.compareTo(LONGEST_WAIT) < 0 ? half : LONGEST_WAIT;
    }
}
