package dev.leasehold;

import java.time.Duration;

/**
 * The three lengths that make a lease safe, and the inequality between them: {@code 0 < margin <= ttl / 3} and {@code 50 ms
 * <= renewEvery <= ttl / 3}, so a lease is trusted for two thirds of its ttl at least, and renewed twice in that time.
 *
 * @param ttl how long the row lasts unless renewed, by the database's clock
 * @param renewEvery how often it is renewed; at most a third of the ttl
 * @param margin how much earlier than the ttl the holder stops to trust the lease
 */
record LeaseTerms(Duration ttl, Duration renewEvery, Duration margin) {

    private static final Duration SHORTEST_RENEWAL = Duration.ofMillis(50);
    private static final Duration SHORTEST_TTL = Duration.ofMillis(500);
    private static final Duration LONGEST_TTL = Duration.ofDays(1);

    LeaseTerms {
        if (ttl.compareTo(SHORTEST_TTL) < 0 || ttl.compareTo(LONGEST_TTL) > 0) {
            throw new IllegalArgumentException("ttl is " + ttl + ", but must be 500 ms to 1 day");
        }
        if (renewEvery.compareTo(SHORTEST_RENEWAL) < 0 || renewEvery.compareTo(ttl.dividedBy(3)) > 0) {
            throw new IllegalArgumentException("renewEvery is " + renewEvery
                    + ", but must be at least 50 ms and at most a third of the ttl, " + ttl);
        }
        if (margin.compareTo(Duration.ZERO) <= 0 || margin.compareTo(ttl.dividedBy(3)) > 0) {
            throw new IllegalArgumentException(
                    "margin is " + margin + ", but must be more than zero and at most a third of the ttl, " + ttl);
        }
    }

    /**
     * Terms of another ttl, in the same proportions.
     *
     * @param bound how long a statement may take; two of them have to fit into the trust
     * @throws IllegalArgumentException for a ttl that is too short for that, or too long
     */
    LeaseTerms withTtl(Duration other, Duration bound) {
        if (other.equals(ttl)) {
            return this;
        }
        if (other.compareTo(LONGEST_TTL) > 0 || trustOf(other).compareTo(bound.multipliedBy(2)) < 0) {
            throw new IllegalArgumentException("ttl is " + other + ", but must be " + shortestTtl(bound)
                    + " to 1 day for leases whose statements may take " + bound);
        }
        return new LeaseTerms(other, scaled(renewEvery, other), scaled(margin, other));
    }

    private Duration trustOf(Duration other) {
        return other.minus(scaled(margin, other));
    }

    private Duration shortestTtl(Duration bound) {
        double share = (double) trust().toNanos() / ttl.toNanos();
        return Duration.ofMillis((long) Math.ceil(2 * bound.toMillis() / share));
    }

    private Duration scaled(Duration part, Duration other) {
        return Duration.ofNanos((long) ((double) part.toNanos() / ttl.toNanos() * other.toNanos()));
    }

    /** How long the holder may trust the lease, from the moment its request was sent. */
    Duration trust() {
        return ttl.minus(margin);
    }

    /** The same for a lease that lasts that long and is not renewed beyond it: of less than a ttl, the same part of it. */
    Duration trust(Duration length) {
        if (length.compareTo(ttl) >= 0) {
            return length.minus(margin);
        }
        return Duration.ofNanos((long) (length.toNanos() * ((double) trust().toNanos() / ttl.toNanos())));
    }
}
