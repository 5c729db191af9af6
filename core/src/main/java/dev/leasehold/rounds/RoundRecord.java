package dev.leasehold.rounds;

import dev.leasehold.Grid;
import dev.leasehold.Slot;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps account of what one round did on this instance. Thread-safe. */
final class RoundRecord {

    /** After how many periods without a pass, or without the end of a run, a round is in trouble. */
    static final int PERIODS = 3;

    private static final int FAILED_PASSES = 3;
    private static final int FAILED_RUNS = 3;
    private static final Duration SHORTEST_SILENCE = Duration.ofSeconds(10);

    private static final Duration LONGEST_RUN = Duration.ofDays(1);

    private final Round round;
    private final String leaseName;
    private final Duration silence;
    private final Duration longestRun;

    private int running;
    private long runningSinceNanos;
    private long passNanos = System.nanoTime();
    private int failedPasses;
    private String lastFailure = "";
    private boolean waitsForWorker;
    private long runs;
    private long counted;
    private long failures;
    private int failedRunsInARow;
    private String lastError = "";
    private long skippedSlots;
    private @Nullable Instant lastSlot;
    private @Nullable Instant lastStarted;
    private @Nullable Instant lastSuccess;
    private @Nullable RoundRun last;
    private @Nullable Instant nextDue;
    private @Nullable Instant lastPass;
    private @Nullable String pauseReason;

    RoundRecord(Round round, String leaseName) {
        this.round = round;
        this.leaseName = leaseName;
        this.silence = severalTimes(Pauses.longest(round.schedule()));
        this.longestRun = round.runTimeout()
                .map(timeout -> timeout.plus(SHORTEST_SILENCE))
                .orElse(round.schedule() instanceof Grid grid ? severalTimes(grid.period()) : LONGEST_RUN);
    }

    private static Duration severalTimes(Duration period) {
        Duration several = period.multipliedBy(PERIODS);
        return several.compareTo(SHORTEST_SILENCE) < 0 ? SHORTEST_SILENCE : several;
    }

    synchronized void waitsForWorker() {
        waitsForWorker = true;
    }

    synchronized void passBegins() {
        waitsForWorker = false;
        passNanos = System.nanoTime();
        lastPass = Instant.now();
    }

    synchronized void looked(Optional<String> paused) {
        pauseReason = paused.orElse(null);
    }

    synchronized void passWentWell() {
        failedPasses = 0;
    }

    synchronized void passFailed(Throwable thrown) {
        failedPasses++;
        lastFailure = RoundFailure.text(thrown);
    }

    synchronized void expects(Duration nextSlotIn) {
        nextDue = nextSlotIn.compareTo(Slot.NO_MORE) < 0 ? Instant.now().plus(nextSlotIn) : null;
    }

    synchronized void began(Instant slot, Instant now) {
        running++;
        runningSinceNanos = System.nanoTime();
        lastSlot = slot;
        lastStarted = now;
    }

    synchronized void skipped(long slots) {
        skippedSlots += slots;
    }

    /** A run has ended, whatever came of it. */
    synchronized void ends() {
        running--;
        passNanos = System.nanoTime();
    }

    synchronized void ended(RoundRun run) {
        runs++;
        last = run;
        if (run.counted()) {
            counted++;
        }
        if (run.isFailure()) {
            failures++;
        }
        if (run.outcome() == RoundOutcome.DONE) {
            lastSuccess = run.ended();
            failedRunsInARow = 0;
        } else if (run.isFailure() || run.outcome() == RoundOutcome.LOST) {
            failedRunsInARow++;
            lastError = kindOf(run.error().orElse(run.outcome().name()));
        }
    }

    /** Of what was thrown its class, for what it says may be long, and not for everybody's eyes. */
    private static String kindOf(String error) {
        int end = error.indexOf(": ");
        return end < 0 ? error : error.substring(0, end);
    }

    /**
     * What is known.
     *
     * @param isStopped then nothing is expected of it any more
     */
    synchronized RoundStatus status(boolean isStopped) {
        var ended = Optional.ofNullable(last);
        return new RoundStatus(
                round.name(),
                leaseName,
                round.schedule(),
                running > 0,
                Optional.ofNullable(lastSlot),
                Optional.ofNullable(lastStarted),
                ended.map(RoundRun::ended),
                ended.map(RoundRun::outcome),
                ended.map(RoundRun::duration),
                Optional.ofNullable(lastSuccess),
                runs,
                counted,
                failures,
                skippedSlots,
                Optional.ofNullable(nextDue),
                Optional.ofNullable(pauseReason),
                Optional.ofNullable(lastPass),
                isStopped ? Optional.empty() : loopTrouble().or(this::failedRuns),
                isStopped || loopTrouble().isEmpty());
    }

    private Optional<String> loopTrouble() {
        long now = System.nanoTime();
        if (running > 0) {
            Duration runsFor = Duration.ofNanos(now - runningSinceNanos);
            return runsFor.compareTo(longestRun) > 0
                    ? Optional.of("its run has not ended for " + runsFor.toSeconds() + " s")
                    : Optional.empty();
        }
        Duration since = Duration.ofNanos(now - passNanos);
        if (since.compareTo(silence) > 0) {
            return Optional.of("no pass for " + since.toSeconds() + " s"
                    + (waitsForWorker ? ": it waits for a worker" : ", which is more than " + PERIODS + " periods"));
        }
        return failedPasses >= FAILED_PASSES
                ? Optional.of("its last " + failedPasses + " passes failed: " + lastFailure)
                : Optional.empty();
    }

    private Optional<String> failedRuns() {
        return failedRunsInARow >= FAILED_RUNS
                ? Optional.of("its last " + failedRunsInARow + " runs here failed: " + lastError)
                : Optional.empty();
    }
}
