package dev.leasehold;

import java.util.Optional;

/**
 * How a lease was acquired.
 *
 * @param slot the slot it was acquired for; empty for a plain lease
 * @param deaths how many holders in a row died without a release before
 * @param sent when the request was sent
 */
record Gained(LeaseKey key, Optional<Slot> slot, int deaths, LeaseTerms terms, Reading sent) {

    Deadline deadline() {
        return Deadline.after(sent, terms.trust());
    }
}
