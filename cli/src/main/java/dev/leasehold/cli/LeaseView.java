package dev.leasehold.cli;

import com.google.gson.JsonObject;
import dev.leasehold.LeaseRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A row of the lease table as it is shown.
 *
 * @param now by the database's clock
 */
record LeaseView(LeaseRow row, Instant now) {

    LeaseState state() {
        return LeaseState.of(row, now);
    }

    /** Since it was acquired; empty if nobody holds it. */
    Optional<Duration> heldFor() {
        return row.held() ? Optional.of(positive(Duration.between(row.takenAt(), now))) : Optional.empty();
    }

    /** Empty if nobody holds it, or it never expires. */
    Optional<Duration> expiresIn() {
        return row.held() && !neverExpires() ? Optional.of(row.timeLeft()) : Optional.empty();
    }

    private boolean neverExpires() {
        return row.timeLeft().toDays() > DurationText.DAYS_OF_A_LONG_TIME;
    }

    /** Whose it is, or was if it ran out. */
    Optional<String> holder() {
        return switch (state()) {
            case HELD, EXPIRED -> Optional.of(row.holder());
            case RESTING, RELEASED -> Optional.empty();
        };
    }

    /** For people: what the time says about this state. */
    String expiry() {
        return switch (state()) {
            case HELD -> neverExpires() ? "never" : "in " + DurationText.of(row.timeLeft());
            case EXPIRED -> DurationText.of(Duration.between(row.expiresAt(), now)) + " ago";
            case RESTING -> "free in " + DurationText.of(Duration.between(now, row.expiresAt()));
            case RELEASED -> "";
        };
    }

    JsonObject json() {
        return Json.object()
                .with("name", row.name())
                .with("state", state().word())
                .with("holder", holder())
                .with("taken_at", row.takenAt())
                .withSeconds("held_for_seconds", heldFor())
                .with("expires_at", expiresAt())
                .withSeconds("expires_in_seconds", expiresIn())
                .with("fence", row.fence())
                .with("deaths", row.deaths())
                .with("done_slot", row.doneSlot())
                .with("pause_reason", row.pauseReason())
                .build();
    }

    private Optional<Instant> expiresAt() {
        boolean isNever = row.held() && neverExpires();
        return state() == LeaseState.RELEASED || isNever ? Optional.empty() : Optional.of(row.expiresAt());
    }

    private static Duration positive(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }
}
