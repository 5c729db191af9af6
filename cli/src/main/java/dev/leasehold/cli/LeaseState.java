package dev.leasehold.cli;

import dev.leasehold.LeaseRow;
import java.time.Instant;
import java.util.Locale;

/** How a row of the lease table stands. */
enum LeaseState {
    /** Somebody holds it. */
    HELD,
    /** It ran out: its holder died, or has lost the database. It is free. */
    EXPIRED,
    /** Its holder ended it, and it is free only after a rest. */
    RESTING,
    /** Its holder ended it. It is free. */
    RELEASED;

    private static final String NOBODY = "-";

    static LeaseState of(LeaseRow row, Instant now) {
        if (row.held()) {
            return HELD;
        }
        if (row.holder().equals(NOBODY)) {
            return row.expiresAt().isAfter(now) ? RESTING : RELEASED;
        }
        return row.expiresAt().equals(Instant.EPOCH) ? RELEASED : EXPIRED;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    Paint.Tone tone() {
        return switch (this) {
            case HELD -> Paint.Tone.GOOD;
            case EXPIRED -> Paint.Tone.BAD;
            case RESTING -> Paint.Tone.NOTE;
            case RELEASED -> Paint.Tone.FAINT;
        };
    }

    /** The tone of that word. */
    static Paint.Tone toneOf(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT)).tone();
    }
}
