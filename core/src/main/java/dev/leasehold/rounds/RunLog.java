package dev.leasehold.rounds;

/** Where the runs of one instance are written down, if anywhere. Thread-safe; throws nothing. */
interface RunLog {

    /** A run begins on that node. */
    default void began(RoundContext context, String node) {}

    /** A run has ended, or was found dead. */
    default void ended(RoundRun run) {}
}
