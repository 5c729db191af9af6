package dev.leasehold.rounds;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What this instance knows of one of its rounds.
 *
 * @param round the round's name
 * @param leaseName the name of its lease: for node scope {@code round@node}
 * @param running whether it runs on this instance now
 * @param lastSlot the slot of the last run on this instance
 * @param lastDuration how long the last ended run took
 * @param runs how many runs ended on this instance
 * @param failures how many of them ended by an exception
 * @param skippedSlots how many slots passed while a run of this instance was longer than the period
 */
public record RoundStatus(
        String round,
        String leaseName,
        boolean running,
        Optional<Instant> lastSlot,
        Optional<RoundOutcome> lastOutcome,
        Optional<Duration> lastDuration,
        long runs,
        long failures,
        long skippedSlots) {}
