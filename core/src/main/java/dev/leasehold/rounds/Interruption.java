package dev.leasehold.rounds;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Interrupts the thread of one run, once, and never after the run has ended. Thread-safe. */
final class Interruption {

    /** Why a run is interrupted. */
    enum Reason {
        TIMEOUT,
        STOP
    }

    private final Thread worker = Thread.currentThread();
    private @Nullable Reason given;
    private boolean hasEnded;

    synchronized void interrupt(Reason reason) {
        if (!hasEnded && given == null) {
            given = reason;
            worker.interrupt();
        }
    }

    /** Why the run was interrupted, if it was; what interrupted it has no say over what follows on its thread. */
    synchronized Optional<Reason> end() {
        hasEnded = true;
        Thread.interrupted();
        return Optional.ofNullable(given);
    }
}
