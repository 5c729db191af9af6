package dev.leasehold.spring.integration;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What this process knows of one lock while some thread holds it or waits for it. */
final class LocalLock {

    private final ReentrantLock mutex = new ReentrantLock();
    /** Guarded by the mutex. */
    private @Nullable Hold hold;
    /** Guarded by the {@link LocalLocks}. */
    private int users;

    ReentrantLock mutex() {
        return mutex;
    }

    Optional<Hold> hold() {
        return Optional.ofNullable(hold);
    }

    void hold(@Nullable Hold changed) {
        hold = changed;
    }

    LocalLock joined() {
        users++;
        return this;
    }

    boolean isUnusedAfterLeave() {
        users--;
        return users == 0;
    }
}
