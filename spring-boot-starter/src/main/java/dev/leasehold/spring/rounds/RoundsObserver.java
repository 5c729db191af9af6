package dev.leasehold.spring.rounds;

import dev.leasehold.rounds.Rounds;

/** Told of the rounds of the application when they have been started, and when they have been stopped. */
public interface RoundsObserver {

    /** They run. */
    void started(Rounds rounds);

    /** They have been stopped; runs that did not end in time may go on. */
    void stopped(Rounds rounds);
}
