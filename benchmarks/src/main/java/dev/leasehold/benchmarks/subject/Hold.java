package dev.leasehold.benchmarks.subject;

/** A name that is held. */
public interface Hold {

    void release() throws Exception;

    /** Extends the hold by another ttl; not for those that renew by themselves. */
    default void renew() throws Exception {
        throw new UnsupportedOperationException("renews by itself");
    }
}
