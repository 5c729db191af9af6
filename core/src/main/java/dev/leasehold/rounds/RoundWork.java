package dev.leasehold.rounds;

/** What a round does. An exception is logged with the round's name; the next slot runs. */
@FunctionalInterface
public interface RoundWork {

    void run(RoundContext context) throws Exception;
}
