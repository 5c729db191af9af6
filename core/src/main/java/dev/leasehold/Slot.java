package dev.leasehold;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The slot of a {@link Grid} that a lease was acquired for, by the database's clock.
 *
 * @param at the grid instant
 * @param nextIn the time from the acquisition to the next slot
 * @param previous the slot that was counted last before; empty if none was
 */
public record Slot(Instant at, Duration nextIn, Optional<Instant> previous) {}
