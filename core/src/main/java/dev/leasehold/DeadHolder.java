package dev.leasehold;

import java.time.Instant;

/**
 * A holder whose lease ran out without a release.
 *
 * @param holder who it was
 * @param fence the fence of its acquisition
 * @param takenAt when it acquired, by the database's clock
 */
public record DeadHolder(String holder, long fence, Instant takenAt) {}
