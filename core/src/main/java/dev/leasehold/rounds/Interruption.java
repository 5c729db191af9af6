package dev.leasehold.rounds;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Interrupts the thread of one run, and never after the run has ended. Thread-safe. */
final class Interruption {

    /** Why a run is interrupted. */
    enum Reason {
        TIMEOUT,
        STOP
    }

    private final Thread worker = Thread.currentThread();
    private @Nullable Reason given;
    private boolean hasEnded;

    /** The first reason is the reason; a later one interrupts once more. */
    synchronized void interrupt(Reason reason) {
        if (!hasEnded) {
            given = given == null ? reason : given;
            worker.interrupt();
        }
    }

    /** Why the run was interrupted, if it was; that has no say over what follows on its thread. */
    synchronized Optional<Reason> end() {
        hasEnded = true;
        if (given != null) {
            Thread.interrupted();
        }
        return Optional.ofNullable(given);
    }
}
