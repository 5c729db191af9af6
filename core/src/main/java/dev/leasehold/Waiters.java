package dev.leasehold;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** Those of this process who wait for a name: woken when it is released here. Thread-safe. */
final class Waiters {

    private final Map<String, List<Semaphore>> byName = new HashMap<>();

    /** From now on, each release of that name adds a permit. */
    synchronized Semaphore join(String name) {
        var released = new Semaphore(0);
        byName.computeIfAbsent(name, unused -> new ArrayList<>()).add(released);
        return released;
    }

    synchronized void leave(String name, Semaphore released) {
        byName.computeIfPresent(name, (unused, all) -> {
            all.remove(released);
            return all.isEmpty() ? null : all;
        });
    }

    /** All of them, for one who is woken may be about to leave. */
    synchronized void wake(String name) {
        byName.getOrDefault(name, List.of()).forEach(Semaphore::release);
    }
}
