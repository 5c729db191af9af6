package dev.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * What a holder knows of its lease, as a pure value: the states and the only moves between them.
 *
 * <pre>
 *   Held --own deadline passed--&gt; Unconfirmed --renewal confirmed--&gt; Held
 *   Held, Unconfirmed --row gone, released or another's--&gt; Lost (final)
 *   Held, Unconfirmed --release--&gt; Released (final)
 * </pre>
 *
 * <p>Whether it is held or unconfirmed is no move at all: it is read off the deadline, so it needs no thread and cannot be
 * late.
 *
 * @param limit no renewal moves the deadline beyond it; null for a lease without a limit
 */
record Standing(End end, Deadline deadline, @Nullable Limit limit) {

    enum End {
        NOT_YET,
        LOST,
        RELEASED
    }

    static Standing acquired(Deadline deadline) {
        return new Standing(End.NOT_YET, deadline, null);
    }

    LeaseState state(Reading now) {
        return switch (end) {
            case LOST -> LeaseState.LOST;
            case RELEASED -> LeaseState.RELEASED;
            case NOT_YET -> deadline.passed(now) ? LeaseState.UNCONFIRMED : LeaseState.HELD;
        };
    }

    /** A renewal of this very lease was confirmed; what has ended stays ended, and an older answer changes nothing. */
    Standing renewed(Deadline confirmed) {
        Deadline reached = limit == null ? confirmed : confirmed.earlier(limit.until());
        return ended() || reached.isBefore(deadline) ? this : new Standing(End.NOT_YET, reached, limit);
    }

    /** From here on that is the limit, which ends the trust at once if it has passed. */
    Standing limited(Limit newLimit) {
        return ended() ? this : new Standing(End.NOT_YET, deadline.earlier(newLimit.until()), newLimit);
    }

    /** Whether it is its limit that has ended the trust: no renewal can give it back. */
    boolean isPastLimit(Reading now) {
        return limit != null && limit.until().passed(now);
    }

    Standing lost() {
        return ended() ? this : new Standing(End.LOST, deadline, limit);
    }

    Standing released() {
        return ended() ? this : new Standing(End.RELEASED, deadline, limit);
    }

    boolean ended() {
        return end != End.NOT_YET;
    }
}
