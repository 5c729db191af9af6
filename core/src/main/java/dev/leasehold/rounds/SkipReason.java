package dev.leasehold.rounds;

/** Why slots passed without a run, as far as this instance has to do with it. */
public enum SkipReason {
    /** A run of this instance took longer than the period. */
    OVERLONG,
    /** All workers of this instance were busy with other rounds, and no other instance ran them. */
    NO_WORKER
}
