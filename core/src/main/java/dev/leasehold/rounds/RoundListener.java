package dev.leasehold.rounds;

/**
 * Told what becomes of rounds on this instance. Every method does nothing by default.
 *
 * <p>Called on the threads of the rounds, several at a time: an implementation is thread-safe, and what it takes delays the
 * round. What it throws is logged and changes nothing.
 */
public interface RoundListener {

    /** A run begins: the lease is held, and the work is called next. */
    default void started(RoundContext context) {}

    /**
     * A run has ended, and its lease is released or lost. Told for each {@link #started} one; and for those whose work was not
     * {@link RoundRun#begun}: given up, or stopped or lost just before it.
     */
    default void ended(RoundRun run) {}

    /** The holder before died, as this instance has found when it took over, whether it begins a run then or stops. */
    default void died(RoundRun run) {}

    /** Slots passed without a run. */
    default void skipped(String round, long slots, SkipReason reason) {}
}
