package dev.leasehold;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** What stood in a row before it was acquired, as the acquire has written it down. */
record Before(String holder, long fence, Instant takenAt, Optional<Instant> doneSlot) {

    /** {@code fence taken_at done_slot holder}, the instants in microseconds, the slot {@code -} if there is none. */
    static Before parse(String text) {
        String[] parts = text.split(" ", 4);
        return new Before(
                parts[3],
                Long.parseLong(parts[0]),
                ofMicros(parts[1]),
                parts[2].equals("-") ? Optional.empty() : Optional.of(ofMicros(parts[2])));
    }

    private static Instant ofMicros(String micros) {
        return Instant.EPOCH.plus(Long.parseLong(micros), ChronoUnit.MICROS);
    }

    DeadHolder asDead() {
        return new DeadHolder(holder, fence, takenAt);
    }
}
