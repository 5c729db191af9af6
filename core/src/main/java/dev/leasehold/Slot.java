package dev.leasehold;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The slot of a {@link Schedule} that a lease was acquired for, by the database's clock.
 *
 * @param at the slot's instant; for an extra run ({@link Stamp#NEVER}) the instant of the acquisition
 * @param late how long after that instant the lease was acquired
 * @param nextIn the time from the acquisition to the next slot; {@link #NO_MORE} if the schedule has none
 * @param previous the slot that was counted last before; empty if none was
 * @param stamp when the slot is counted
 * @param died the holder before this one, if it died without a release
 */
public record Slot(
        Instant at,
        Duration late,
        Duration nextIn,
        Optional<Instant> previous,
        Stamp stamp,
        Optional<DeadHolder> died) {

    /** What stands for the time until the next slot of a schedule that has no more: 366 days, the longest period. */
    public static final Duration NO_MORE = Duration.ofDays(366);
}
