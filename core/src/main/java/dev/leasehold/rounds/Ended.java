package dev.leasehold.rounds;

import java.util.Optional;

/**
 * How a run has ended.
 *
 * @param isBegun whether the work was called
 * @param counts whether a slot that counts at its end is known to be counted; false before the release
 */
record Ended(RoundOutcome outcome, Optional<String> error, boolean isBegun, boolean counts) {

    static Ended of(RoundOutcome outcome) {
        return new Ended(outcome, Optional.empty(), true, false);
    }

    static Ended of(RoundOutcome outcome, String error) {
        return new Ended(outcome, Optional.of(error), true, false);
    }

    /** Something kept the work from being called: as if the lease had never been acquired. */
    static Ended notBegun(RoundOutcome outcome, String why) {
        return new Ended(outcome, Optional.of(why), false, false);
    }

    Ended counted(boolean isCounted) {
        return new Ended(outcome, error, isBegun, isCounted);
    }

    Ended as(RoundOutcome other, String defaultError) {
        return new Ended(other, Optional.of(error.orElse(defaultError)), isBegun, false);
    }
}
