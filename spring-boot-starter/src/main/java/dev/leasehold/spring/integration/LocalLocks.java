package dev.leasehold.spring.integration;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The locks that some thread of this process holds or waits for, by name: no others are kept. Thread-safe. */
final class LocalLocks {

    private final Map<String, LocalLock> byName = new HashMap<>();

    /** To be followed by one {@link #leave}: when it was not locked after all, or with its unlock. */
    synchronized LocalLock join(String name) {
        return byName.computeIfAbsent(name, unused -> new LocalLock()).joined();
    }

    synchronized void leave(String name) {
        byName.computeIfPresent(name, (unused, local) -> local.isUnusedAfterLeave() ? null : local);
    }

    /** The one that this thread has locked. */
    synchronized Optional<LocalLock> ownedHere(String name) {
        return Optional.ofNullable(byName.get(name))
                .filter(local -> local.mutex().isHeldByCurrentThread());
    }

    synchronized int size() {
        return byName.size();
    }
}
