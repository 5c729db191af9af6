package dev.leasehold;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One row of the lease table, as it stood at one moment. Immutable.
 *
 * @param expiresAt by the database's clock; the epoch once released
 * @param doneSlot for rounds: the slot of the last run that counts
 * @param madeDue for rounds: whether an operator has made its slot due again, and no run has been counted since
 * @param deaths how many holders in a row died without a release
 * @param pauseReason for rounds: why an operator has paused it; empty while it is not paused
 * @param held whether somebody held it then, by the database's clock
 * @param timeLeft until it expires unless renewed, by the database's clock; zero when not held, and the longest that whole
 *     microseconds can say (292,000 years) when it never expires
 */
public record LeaseRow(
        String name,
        String holder,
        Instant takenAt,
        Instant expiresAt,
        long fence,
        Optional<Instant> doneSlot,
        boolean madeDue,
        int deaths,
        Optional<String> pauseReason,
        boolean held,
        Duration timeLeft) {}
