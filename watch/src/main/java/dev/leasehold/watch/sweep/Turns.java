package dev.leasehold.watch.sweep;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whose turn it is. Pure. The kinds take turns, a batch each, so that a large backlog of one does not keep the others
 * waiting; one that is done, or fails beyond repair, gets no turn any more.
 *
 * <p>A batch that fails is tried again at half its size, down to one row, for it may have been too much for the
 * server's own time limit. Not thread-safe.
 */
final class Turns {

    private final Deque<Leftover> waiting = new ArrayDeque<>(List.of(Leftover.values()));
    private final Map<Leftover, Integer> sizes = new EnumMap<>(Leftover.class);
    private final Map<Leftover, Long> deleted = new EnumMap<>(Leftover.class);

    Turns(int batchSize) {
        waiting.forEach(leftover -> sizes.put(leftover, batchSize));
    }

    /** Empty once nobody waits. */
    Optional<Leftover> next() {
        return Optional.ofNullable(waiting.peekFirst());
    }

    int size(Leftover leftover) {
        return sizes.getOrDefault(leftover, 1);
    }

    void deleted(int count) {
        Leftover leftover = waiting.removeFirst();
        deleted.merge(leftover, (long) count, Long::sum);
        if (count >= size(leftover)) {
            waiting.addLast(leftover);
        }
    }

    /** Whether it is tried again. */
    boolean failed() {
        Leftover leftover = waiting.removeFirst();
        int smaller = size(leftover) / 2;
        if (smaller < 1) {
            return false;
        }
        sizes.put(leftover, smaller);
        waiting.addLast(leftover);
        return true;
    }

    /** What was deleted, for a line of the log; empty if nothing was. */
    String summary() {
        return deleted.entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .map(entry -> entry.getValue() + " " + entry.getKey().plural())
                .collect(Collectors.joining(", "));
    }
}
