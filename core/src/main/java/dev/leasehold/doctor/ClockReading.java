package dev.leasehold.doctor;

import java.time.Duration;
import java.time.Instant;

/**
 * The database's clock, read between two readings of this machine's.
 *
 * @param before the question was sent
 * @param database what it answered
 * @param after the answer came
 */
record ClockReading(Instant before, Instant database, Instant after) {

    /** Half of the round trip: the database may have answered at its beginning or at its end. */
    Duration uncertainty() {
        Duration half = Duration.between(before, after).dividedBy(2);
        return half.isNegative() ? Duration.ZERO : half;
    }

    /** How far the database's clock is ahead; negative if it is behind. */
    Duration databaseAhead() {
        return Duration.between(before.plus(Duration.between(before, after).dividedBy(2)), database);
    }
}
