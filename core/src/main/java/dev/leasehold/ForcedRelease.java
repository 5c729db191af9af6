package dev.leasehold;

/**
 * What a {@link Leases#releaseByForce forced release} has ended. Immutable.
 *
 * @param holder who held it
 * @param fence of the lease that was ended; it fences nothing any more
 */
public record ForcedRelease(String holder, long fence) {}
