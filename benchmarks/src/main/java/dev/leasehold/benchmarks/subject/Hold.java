package dev.leasehold.benchmarks.subject;

/** A name that is held. */
public interface Hold {

    void release() throws Exception;

    /** Extends the hold by another ttl, where that is left to the caller or to one statement a hold. */
    default void renew() throws Exception {
        throw new UnsupportedOperationException("is renewed otherwise");
    }
}
