package dev.leasehold.rounds;

import java.util.Optional;

/**
 * How a run has ended.
 *
 * @param isBegun whether the work was called
 */
record Ended(RoundOutcome outcome, Optional<String> error, boolean isBegun) {

    static Ended of(RoundOutcome outcome) {
        return new Ended(outcome, Optional.empty(), true);
    }

    static Ended of(RoundOutcome outcome, String error) {
        return new Ended(outcome, Optional.of(error), true);
    }

    /** Something kept the work from being called: as if the lease had never been acquired. */
    static Ended notBegun(RoundOutcome outcome, String why) {
        return new Ended(outcome, Optional.of(why), false);
    }

    Ended as(RoundOutcome other, String defaultError) {
        return new Ended(other, Optional.of(error.orElse(defaultError)), isBegun);
    }
}
