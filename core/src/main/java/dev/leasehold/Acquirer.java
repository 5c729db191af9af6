package dev.leasehold;

import dev.leasehold.LeaseTable.Row;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** Asks for plain leases: of the names it has met in one statement for all that ask at the moment. Thread-safe. */
final class Acquirer {

    private static final Duration SHORTEST_BOUND = Duration.ofMillis(50);

    private final Wiring wiring;
    private final KnownNames known = new KnownNames();
    private final Batcher<String, String, Row> batcher;

    Acquirer(Wiring wiring) {
        this.wiring = wiring;
        this.batcher = new Batcher<>(
                wiring.shared(),
                (holders, bound) ->
                        wiring.table().acquire(holders, wiring.terms().ttl(), bound));
    }

    Answer acquire(String name, String holder) throws SQLException {
        Duration bound = wiring.bound();
        if (known.contains(name)) {
            long start = System.nanoTime();
            Optional<Row> row = batcher.ask(name, holder, bound);
            if (row.isPresent()) {
                return Answer.of(row, holder);
            }
            // Somebody has deleted the row.
            Duration left = bound.minusNanos(System.nanoTime() - start);
            bound = left.compareTo(SHORTEST_BOUND) < 0 ? SHORTEST_BOUND : left;
        }
        Optional<Row> row = wiring.table()
                .acquireFirst(wiring.shared(), name, holder, wiring.terms().ttl(), bound);
        if (row.isPresent()) {
            known.add(name);
        }
        return Answer.of(row, holder);
    }
}
