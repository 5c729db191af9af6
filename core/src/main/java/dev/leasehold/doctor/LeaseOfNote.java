package dev.leasehold.doctor;

import java.time.Duration;
import java.util.Optional;

/**
 * A row of a lease table.
 *
 * @param fence empty in the oldest form of the table
 * @param taken how long ago; empty if that is infinite
 * @param left until it expires, negative if it has; empty if it never does
 * @param isUnreleased it is held, or has expired without a release
 * @param isRound a run of a round of that name was counted
 * @param deaths holders in a row that died
 */
record LeaseOfNote(
        String name,
        String holder,
        Optional<Long> fence,
        Optional<Duration> taken,
        Optional<Duration> left,
        boolean isUnreleased,
        boolean isRound,
        int deaths,
        Optional<String> pauseReason) {

    boolean isHeld() {
        return isUnreleased && !left.map(Duration::isNegative).orElse(false);
    }

    /** How long ago it ran out; empty if it did not, or was released. */
    Optional<Duration> expired() {
        return left.filter(until -> isUnreleased && until.isNegative()).map(Duration::negated);
    }
}
