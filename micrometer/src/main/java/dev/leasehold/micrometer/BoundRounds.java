package dev.leasehold.micrometer;

import dev.leasehold.rounds.RoundStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** The rounds that are looked at, found by their leases' names: those bound last come first. Thread-safe. */
final class BoundRounds {

    private final List<Entry> entries = new CopyOnWriteArrayList<>();

    private record Entry(Object rounds, Supplier<List<RoundStatus>> status, Instant since) {}

    /**
     * One round.
     *
     * @param since when it was bound
     */
    record Look(RoundStatus status, Instant since) {}

    /** False if they are bound already. */
    synchronized boolean add(Object rounds, Supplier<List<RoundStatus>> status, Instant since) {
        if (entries.stream().anyMatch(entry -> entry.rounds() == rounds)) {
            return false;
        }
        entries.add(0, new Entry(rounds, status, since));
        return true;
    }

    void remove(Object rounds) {
        entries.removeIf(entry -> entry.rounds() == rounds);
    }

    Optional<Look> find(String leaseName) {
        return entries.stream()
                .flatMap(entry -> entry.status().get().stream().map(status -> new Look(status, entry.since())))
                .filter(look -> look.status().leaseName().equals(leaseName))
                .findFirst();
    }
}
