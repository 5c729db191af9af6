package dev.leasehold;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to pause before asking again for a lease that was refused: until it ends, by what the refusal said, and no longer
 * than a limit, for its holder may release it before. What says nothing backs off from a floor. All with jitter, so that
 * those who were refused together do not ask together. Not thread-safe.
 */
final class Patience {

    static final Duration FLOOR = Duration.ofMillis(25);

    private final Duration longest;
    private Duration backOff = FLOOR;

    Patience(Duration longest) {
        this.longest = longest;
    }

    /** A refusal. */
    Duration after(Acquisition refusal) {
        if (refusal instanceof Acquisition.Busy busy && busy.timeLeft().isPresent()) {
            backOff = FLOOR;
            Duration left = busy.timeLeft().get();
            return left.compareTo(longest) < 0 ? justAfter(left) : jittered(longest);
        }
        return afterNothing();
    }

    /** A failure, or a refusal that does not know for how long. */
    Duration afterNothing() {
        Duration pause = jittered(backOff);
        Duration doubled = backOff.multipliedBy(2);
        backOff = doubled.compareTo(longest) < 0 ? doubled : longest;
        return pause;
    }

    private static Duration justAfter(Duration left) {
        Duration pause = left.compareTo(FLOOR) < 0 ? FLOOR : left;
        return pause.plusNanos(ThreadLocalRandom.current().nextLong(FLOOR.toNanos()));
    }

    /** Three quarters of it at least, and no more than it. */
    static Duration jittered(Duration pause) {
        long quarter = pause.toNanos() / 4;
        return pause.minusNanos(ThreadLocalRandom.current().nextLong(quarter + 1));
    }
}
