package dev.leasehold;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What is asked for when a lease is to be acquired: a name, a ttl where the one of the {@link Leases} does not fit, and a limit
 * if it is to end though its holder lives. Immutable.
 */
public final class LeaseRequest {

    /** The longest limit, 36,500 days. */
    public static final Duration LONGEST_LIMIT = Duration.ofDays(36_500);

    private final String name;
    private final Optional<Duration> ttl;
    private final Optional<Duration> limit;

    private LeaseRequest(String name, Optional<Duration> ttl, Optional<Duration> limit) {
        this.name = name;
        this.ttl = ttl;
        this.limit = limit;
    }

    /**
     * A request with the ttl of the leases, and no limit.
     *
     * @param name 1 to 512 characters, without U+0000 and lone surrogates
     * @throws IllegalArgumentException for another name; names it and the rule
     */
    public static LeaseRequest named(String name) {
        return new LeaseRequest(LeaseName.check(name), Optional.empty(), Optional.empty());
    }

    /**
     * The same with that ttl; it is renewed, and mistrusted before its end, in the same proportions as the others. At most a
     * day, and so long that a statement may go unanswered for its whole bound and be tried again: 11 s do for leases of the
     * default ttl, and leases of a shorter one have statements of a shorter bound. It is checked against the leases that are asked.
     */
    public LeaseRequest ttl(Duration ttl) {
        return new LeaseRequest(name, Optional.of(ttl), limit);
    }

    /**
     * The same for a limited time: the lease is renewed as any, and ends when the limit has passed since its acquisition, by
     * the database's clock, though its holder lives and has not released it. It is unconfirmed from shortly before then on, and
     * lost once another has it. Who acquires it finds a holder that did not release it, and takes it for a death. {@link
     * Lease#extend(Duration)} gives it another limit.
     *
     * @param limit more than zero, at most {@link #LONGEST_LIMIT}; where it is less than a ttl nothing is left to renew
     * @throws IllegalArgumentException for another limit; names it and the rule
     */
    public LeaseRequest limit(Duration limit) {
        checkLimit(limit);
        return new LeaseRequest(name, ttl, Optional.of(limit));
    }

    static void checkLimit(Duration limit) {
        if (limit.compareTo(Duration.ZERO) <= 0 || limit.compareTo(LONGEST_LIMIT) > 0) {
            throw new IllegalArgumentException(
                    "limit is " + limit + ", but must be more than zero, at most 36,500 days");
        }
    }

    /** The name of the lease. */
    public String name() {
        return name;
    }

    /** How long it lasts without renewal; empty for the ttl of the leases. */
    public Optional<Duration> ttl() {
        return ttl;
    }

    /** How long after its acquisition it ends though its holder lives; empty if it does not. */
    public Optional<Duration> limit() {
        return limit;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LeaseRequest that
                && name.equals(that.name)
                && ttl.equals(that.ttl)
                && limit.equals(that.limit);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, ttl, limit);
    }

    @Override
    public String toString() {
        return "LeaseRequest[" + name
                + ttl.map(length -> ", ttl " + length).orElse("")
                + limit.map(length -> ", limit " + length).orElse("") + "]";
    }
}
