package dev.leasehold;

import java.time.Duration;
import java.time.Instant;

/**
 * The end of the trust in a lease: a moment on each clock of this machine, and the earlier of the two counts.
 *
 * <p>The monotonic clock stops while the machine is suspended, so the wall clock is looked at too; it can only shorten the
 * trust.
 */
record Deadline(long monotonicNanos, Instant wall) {

    static Deadline after(Reading start, Duration trust) {
        return new Deadline(
                start.monotonicNanos() + trust.toNanos(), start.wall().plus(trust));
    }

    /** On each clock the earlier of the two. */
    Deadline earlier(Deadline other) {
        return new Deadline(
                isBefore(other) ? monotonicNanos : other.monotonicNanos, wall.isBefore(other.wall) ? wall : other.wall);
    }

    /** Whether its request was sent earlier. */
    boolean isBefore(Deadline other) {
        return monotonicNanos - other.monotonicNanos < 0;
    }

    boolean passed(Reading now) {
        return timeLeft(now).compareTo(Duration.ZERO) <= 0;
    }

    /** Zero or negative once passed. */
    Duration timeLeft(Reading now) {
        Duration monotonic = Duration.ofNanos(monotonicNanos - now.monotonicNanos());
        Duration byWall = Duration.between(now.wall(), wall);
        return monotonic.compareTo(byWall) <= 0 ? monotonic : byWall;
    }
}
