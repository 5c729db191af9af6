package dev.leasehold.benchmarks.subject;

import java.util.Optional;

/** One instance that competes for names. Thread-safe; a hold is released by the thread that acquired it. */
public interface Contender extends AutoCloseable {

    /** Does not wait for a holder: empty if another has the name. */
    Optional<Hold> tryAcquire(String name) throws Exception;

    /** Ends the instance; holds stay as they are. */
    @Override
    default void close() {}
}
