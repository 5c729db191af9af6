package dev.leasehold;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names that have a row, as far as is known here; that may be wrong at any time and costs one more round trip then. Forgets
 * all when they are many, so that names made up for one use do not pile up. Thread-safe.
 */
final class KnownNames {

    private static final int MOST = 20_000;

    private final Set<String> names = ConcurrentHashMap.newKeySet();

    boolean contains(String name) {
        return names.contains(name);
    }

    void add(String name) {
        if (names.size() >= MOST) {
            names.clear();
        }
        names.add(name);
    }
}
