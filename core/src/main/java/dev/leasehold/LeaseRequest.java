package dev.leasehold;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What is asked for when a lease is to be acquired: a name, and a ttl where the one of the {@link Leases} does not fit.
 * Immutable.
 *
 * @param name 1 to 512 characters, without U+0000 and lone surrogates
 * @param ttl how long it lasts without renewal; empty for the ttl of the leases
 */
public record LeaseRequest(String name, Optional<Duration> ttl) {

    /**
     * Checks the name; the ttl is checked against the leases that are asked.
     *
     * @throws IllegalArgumentException for a name that is not allowed; names it and the rule
     */
    public LeaseRequest {
        LeaseName.check(name);
        Objects.requireNonNull(ttl, "ttl");
    }

    /** A request with the ttl of the leases. */
    public static LeaseRequest named(String name) {
        return new LeaseRequest(name, Optional.empty());
    }

    /**
     * The same with that ttl; it is renewed, and mistrusted before its end, in the same proportions as the others. At most a
     * day, and so long that a statement may go unanswered for its whole bound and be tried again: 11 s do for leases of the
     * default ttl, and leases of a shorter one have statements of a shorter bound.
     */
    public LeaseRequest ttl(Duration ttl) {
        return new LeaseRequest(name, Optional.of(ttl));
    }
}
