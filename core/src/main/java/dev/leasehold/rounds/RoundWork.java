package dev.leasehold.rounds;

/** What a round does. An exception is logged with the round's name; the next slot runs. */
@FunctionalInterface
public interface RoundWork {

    /** Runs for one slot, on a thread of the rounds. */
    void run(RoundContext context) throws Exception;
}
