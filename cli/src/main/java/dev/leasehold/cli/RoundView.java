package dev.leasehold.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.leasehold.RecordedRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A round, or one of its nodes, as it is shown.
 *
 * @param lease its row of the lease table
 * @param runs what the run history tells of it, the newest first
 */
record RoundView(RoundName name, LeaseView lease, List<RecordedRun> runs) {

    /** How many runs its outcomes are counted of. */
    static final int RUNS = 10;

    private static final String DONE = "DONE";

    /** What it does. A paused one may still run. */
    enum State {
        RUNNING,
        PAUSED,
        /** Its holder died, and nobody has taken over yet. */
        DIED,
        IDLE;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        private Paint.Tone tone() {
            return switch (this) {
                case RUNNING -> Paint.Tone.GOOD;
                case PAUSED -> Paint.Tone.WARNING;
                case DIED -> Paint.Tone.BAD;
                case IDLE -> Paint.Tone.PLAIN;
            };
        }

        static Paint.Tone toneOf(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT)).tone();
        }
    }

    State state() {
        if (lease.row().held()) {
            return State.RUNNING;
        }
        if (lease.row().pauseReason().isPresent()) {
            return State.PAUSED;
        }
        return lease.state() == LeaseState.EXPIRED ? State.DIED : State.IDLE;
    }

    Optional<Duration> doneSlotAge() {
        return lease.row().doneSlot().map(slot -> Duration.between(slot, lease.now()));
    }

    /** Of the runs that have ended, the newest first. */
    List<String> outcomes() {
        return runs.stream().flatMap(run -> run.outcome().stream()).limit(RUNS).toList();
    }

    /** The last run that has ended, for people: how, and when. */
    String lastRun() {
        return runs.stream()
                .filter(run -> run.outcome().isPresent())
                .findFirst()
                .map(run -> word(run.outcome().orElseThrow())
                        + run.endedAt().map(end -> " " + ago(end, lease.now())).orElse(""))
                .orElse("");
    }

    /** How many ended how, for people; those that did not end well. */
    String failures() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        outcomes().forEach(outcome -> counts.merge(word(outcome), 1, Integer::sum));
        counts.remove(word(DONE));
        List<String> counted = new ArrayList<>();
        counts.forEach((outcome, count) -> counted.add(count + " " + outcome));
        if (outcomes().isEmpty()) {
            return "";
        }
        return (counted.isEmpty() ? "all done" : String.join(", ", counted)) + " of "
                + outcomes().size();
    }

    /** What an operator should see. */
    String note() {
        List<String> notes = new ArrayList<>();
        lease.row().pauseReason().ifPresent(reason -> notes.add("paused: " + reason));
        if (lease.row().madeDue() && !lease.row().held()) {
            notes.add("due at once");
        }
        if (lease.row().deaths() > 0) {
            notes.add(lease.row().deaths() + (lease.row().deaths() == 1 ? " holder" : " holders in a row") + " died");
        }
        return String.join("; ", notes);
    }

    static String word(String outcome) {
        return outcome.toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    static String ago(Instant then, Instant now) {
        return DurationText.of(Duration.between(then, now)) + " ago";
    }

    JsonObject json() {
        var outcomes = new JsonArray();
        outcomes().forEach(outcomes::add);
        boolean isRunning = lease.row().held();
        return Json.object()
                .with("lease", lease.row().name())
                .with("round", name.round())
                .with("node", name.node())
                .with("state", state().word())
                .with("running", isRunning)
                .with("holder", isRunning ? lease.holder() : Optional.empty())
                .withSeconds("running_for_seconds", lease.heldFor())
                .with("done_slot", lease.row().doneSlot())
                .withSeconds("done_slot_age_seconds", doneSlotAge())
                .with("made_due", lease.row().madeDue())
                .with("pause_reason", lease.row().pauseReason())
                .with("deaths", lease.row().deaths())
                .with("last_outcomes", outcomes)
                .build();
    }
}
