package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** Asks for leases: of the names it has met in one statement for all that ask at the moment. Thread-safe. */
final class Acquirer {

    private static final Duration SHORTEST_BOUND = Duration.ofMillis(50);

    private final Wiring wiring;
    private final KnownNames known = new KnownNames();
    private final Batcher<String, String, LeaseTable.Row> leases;
    private final Batcher<SlotTable.Key, String, SlotTable.Row> slots;

    Acquirer(Wiring wiring) {
        this.wiring = wiring;
        Duration ttl = wiring.terms().ttl();
        this.leases = new Batcher<>(
                wiring.shared(), (holders, bound) -> wiring.table().acquire(holders, ttl, bound));
        this.slots = new Batcher<>(
                wiring.shared(), (holders, bound) -> wiring.slots().acquire(holders, ttl, bound));
    }

    Answer acquire(String name, String holder) throws SQLException {
        return Answer.of(
                ask(
                        name,
                        bound -> leases.ask(name, holder, bound),
                        bound -> wiring.table().acquireFirst(wiring.shared(), name, holder, ttl(), bound)),
                holder);
    }

    Answer acquireSlot(String name, String holder, Grid grid) throws SQLException {
        var key = new SlotTable.Key(name, grid);
        return Answer.ofSlot(
                ask(
                        name,
                        bound -> slots.ask(key, holder, bound),
                        bound -> wiring.slots().acquireFirst(wiring.shared(), key, holder, ttl(), bound)),
                holder);
    }

    private interface Asking<R> {
        Optional<R> within(Duration bound) throws SQLException;
    }

    private <R> Optional<R> ask(String name, Asking<R> known, Asking<R> first) throws SQLException {
        Duration bound = wiring.bound();
        if (this.known.contains(name)) {
            long start = System.nanoTime();
            try {
                Optional<R> row = known.within(bound);
                if (row.isPresent()) {
                    return row;
                }
                // Somebody has deleted the row.
            } catch (SQLException e) {
                if (!SqlState.isOfData(e)) {
                    throw e;
                }
                // The row of another in the batch cannot be dealt with, perhaps: ask alone.
            }
            Duration left = bound.minusNanos(System.nanoTime() - start);
            bound = left.compareTo(SHORTEST_BOUND) < 0 ? SHORTEST_BOUND : left;
        }
        Optional<R> row = first.within(bound);
        if (row.isPresent()) {
            this.known.add(name);
        }
        return row;
    }

    private Duration ttl() {
        return wiring.terms().ttl();
    }
}
