package dev.leasehold;

import java.util.Objects;

/**
 * What a lease for a slot is asked with. Immutable.
 *
 * @param name as of {@link Leases#tryAcquire(String)}
 * @param schedule when it falls due
 * @param stamp when its slot is counted
 */
public record SlotRequest(String name, Schedule schedule, Stamp stamp) {

    public SlotRequest {
        LeaseName.check(name);
        Objects.requireNonNull(schedule, "schedule");
        Objects.requireNonNull(stamp, "stamp");
    }

    /** With a stamp at the end. */
    public SlotRequest(String name, Schedule schedule) {
        this(name, schedule, Stamp.AT_END);
    }
}
