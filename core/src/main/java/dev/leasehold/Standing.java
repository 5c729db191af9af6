package dev.leasehold;

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
 */
record Standing(End end, Deadline deadline) {

    enum End {
        NOT_YET,
        LOST,
        RELEASED
    }

    static Standing acquired(Deadline deadline) {
        return new Standing(End.NOT_YET, deadline);
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
        return ended() || confirmed.isBefore(deadline) ? this : new Standing(End.NOT_YET, confirmed);
    }

    Standing lost() {
        return ended() ? this : new Standing(End.LOST, deadline);
    }

    Standing released() {
        return ended() ? this : new Standing(End.RELEASED, deadline);
    }

    boolean ended() {
        return end != End.NOT_YET;
    }
}
