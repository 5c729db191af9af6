package dev.leasehold.doctor;

import org.jspecify.annotations.Nullable;

/** What a session does, as far as this role may know. */
enum SessionState {
    ACTIVE("active"),
    IDLE("idle"),
    IDLE_IN_TRANSACTION("idle in transaction"),
    /** Of another role, or of a session that has {@code track_activities} off. */
    UNKNOWN("unknown");

    private final String words;

    SessionState(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    static SessionState of(@Nullable String state) {
        if (state == null) {
            return UNKNOWN;
        }
        return switch (state) {
            case "idle" -> IDLE;
            case "idle in transaction", "idle in transaction (aborted)" -> IDLE_IN_TRANSACTION;
            case "disabled" -> UNKNOWN;
            default -> ACTIVE;
        };
    }
}
