package dev.leasehold;

import java.time.Duration;

/**
 * Where a lease ends though its holder lives.
 *
 * @param sinceAcquired how long after its acquisition, by the database's clock
 * @param until the end of the trust that goes with it
 */
record Limit(Duration sinceAcquired, Deadline until) {

    /** For its holder it ends there, if that is earlier; what the database knows of it is the same. */
    Limit trustedUntil(Deadline other) {
        return new Limit(sinceAcquired, until.earlier(other));
    }
}
