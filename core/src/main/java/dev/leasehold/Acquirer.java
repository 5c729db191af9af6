package dev.leasehold;

import dev.leasehold.internal.OnceAMinute;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks for leases: of the names it has met in one statement for all that ask at the moment. Thread-safe. */
final class Acquirer {

    private static final Logger log = LoggerFactory.getLogger(Acquirer.class);
    private static final Duration SHORTEST_BOUND = Duration.ofMillis(50);

    private final Wiring wiring;
    private final KnownNames knownLeases = new KnownNames();
    /** Apart from the others: the first ask for a slot does more than see to the row. */
    private final KnownNames knownSlots = new KnownNames();

    private final Batcher<String, LeaseTable.Asked, LeaseTable.Row> leases;
    private final Batcher<SlotRequest, SlotTable.Asked, SlotTable.Row> slots;
    private final OnceAMinute warnings = new OnceAMinute();
    /** By how much the database's clock is ahead of this machine's, as far as is known: only to guess which instants to send. */
    private volatile Duration databaseAhead = Duration.ZERO;

    Acquirer(Wiring wiring) {
        this.wiring = wiring;
        Duration ttl = wiring.terms().ttl();
        this.leases = new Batcher<>(wiring.shared(), wiring.table()::acquire);
        this.slots =
                new Batcher<>(wiring.shared(), (asked, bound) -> wiring.slots().acquire(asked, ttl, bound));
    }

    Answer acquire(String name, String holder, Duration ttl) throws SQLException {
        var asked = new LeaseTable.Asked(holder, ttl);
        return Answer.of(
                ask(
                        knownLeases,
                        name,
                        bound -> leases.ask(name, asked, bound),
                        bound -> wiring.table().acquireFirst(wiring.shared(), name, asked, bound)),
                holder);
    }

    Answer acquireSlot(SlotRequest request, String holder) throws SQLException {
        Optional<SlotTable.Row> row;
        if (request.schedule() instanceof Instants instants) {
            row = acquireInstant(request, instants, holder);
        } else {
            row = ask(request, new SlotTable.Asked(holder, Optional.empty()));
        }
        return Answer.ofSlot(row, holder, request.stamp());
    }

    /** Once more, if the instants that were sent do not tell the slot at the database's time. */
    private Optional<SlotTable.Row> acquireInstant(SlotRequest request, Instants instants, String holder)
            throws SQLException {
        Instant guessed = wiring.ticker().read().wall().plus(databaseAhead);
        Duration ahead = wiring.bound().multipliedBy(2);
        Optional<SlotTable.Row> row =
                ask(request, new SlotTable.Asked(holder, Optional.of(instants.around(guessed, ahead))));
        if (row.isEmpty()) {
            return row;
        }
        Instant databaseTime = row.get().askedAt();
        databaseAhead = Duration.between(wiring.ticker().read().wall(), databaseTime);
        if (row.get().isTold() || row.get().holder().equals(holder)) {
            return row;
        }
        row = ask(request, new SlotTable.Asked(holder, Optional.of(instants.around(databaseTime, ahead))));
        if (row.isPresent() && !row.get().isTold() && !row.get().holder().equals(holder) && warnings.isTime()) {
            log.warn(
                    "the slot of {} is not known: its schedule, {}, has too many instants in the time of a question",
                    request.name(),
                    instants);
        }
        return row;
    }

    private Optional<SlotTable.Row> ask(SlotRequest request, SlotTable.Asked asked) throws SQLException {
        return ask(
                knownSlots,
                request.name(),
                bound -> slots.ask(request, asked, bound),
                bound -> wiring.slots().acquireFirst(wiring.shared(), request, asked, ttl(), bound));
    }

    private interface Asking<R> {
        Optional<R> within(Duration bound) throws SQLException;
    }

    private <R> Optional<R> ask(KnownNames names, String name, Asking<R> known, Asking<R> first) throws SQLException {
        Duration bound = wiring.bound();
        if (names.contains(name)) {
            long start = System.nanoTime();
            try {
                Optional<R> row = known.within(bound);
                if (row.isPresent()) {
                    return row;
                }
                // Somebody has deleted the row.
            } catch (SQLException e) {
                if (UnknownOutcomeException.mayHaveLanded(e) || !SqlState.mayBeOfARow(e)) {
                    throw e;
                }
                // The row of another in the batch cannot be dealt with, perhaps: ask alone.
            }
            Duration left = bound.minusNanos(System.nanoTime() - start);
            bound = left.compareTo(SHORTEST_BOUND) < 0 ? SHORTEST_BOUND : left;
        }
        Optional<R> row = first.within(bound);
        if (row.isPresent()) {
            names.add(name);
        }
        return row;
    }

    private Duration ttl() {
        return wiring.terms().ttl();
    }
}
