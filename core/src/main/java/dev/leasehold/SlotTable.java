package dev.leasehold;

import dev.leasehold.Statements.Filled;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The lease table as it is asked for slots of a grid. Thread-safe. */
final class SlotTable {

    private final Statements statements;
    private final NamedSql acquire;
    private final NamedSql acquireMany;
    private final NamedSql acquireFirst;

    /** What is asked for. */
    record Key(String name, Grid grid) {}

    /**
     * A row of the table, as an acquire sees it after its own try.
     *
     * @param left empty if it never expires
     * @param isDue whether the slot had no counted run
     */
    record Row(String holder, long fence, int deaths, Optional<Duration> left, boolean isDue, Slot slot) {}

    SlotTable(Statements statements, TableName table) {
        this.statements = statements;
        String acquireOne = NamedSql.ofOne(LeaseSql.ACQUIRE_SLOTS, LeaseSql.MANY_SLOTS, LeaseSql.ONE_SLOT);
        String lookAtOne = NamedSql.ofOne(LeaseSql.LOOK_AT_SLOTS, LeaseSql.MANY_SLOTS, LeaseSql.ONE_SLOT);
        this.acquire = NamedSql.together(table, acquireOne, lookAtOne);
        this.acquireMany = NamedSql.together(table, LeaseSql.ACQUIRE_SLOTS, LeaseSql.LOOK_AT_SLOTS);
        this.acquireFirst = NamedSql.together(table, LeaseSql.ACQUIRE_FIRST, acquireOne, lookAtOne);
    }

    /**
     * Acquires what is due, of names that have a row, and answers the rows.
     *
     * @param holders by what they ask for
     */
    Attempt<Map<Key, Row>> acquire(Supplier<Map<Key, String>> holders, Duration ttl, Duration bound) {
        // The keys in the order in which they were sent, so that the reader finds them again.
        var sent = new HashMap<Integer, Key>();
        return statements.attempt(
                bound,
                () -> {
                    Map<Key, String> asked = holders.get();
                    asked.keySet().forEach(key -> sent.put(sent.size() + 1, key));
                    if (asked.size() > 1) {
                        return new Filled(acquireMany, parametersOfMany(asked, ttl));
                    }
                    var one = asked.entrySet().iterator().next();
                    return new Filled(acquire, parameters(one.getKey(), one.getValue(), ttl));
                },
                rows -> rowsByKey(rows, sent));
    }

    /** Acquires a slot of a name that may have no row yet; empty if the row vanished or an insert of it hangs. */
    Optional<Row> acquireFirst(Lane lane, Key key, String holder, Duration ttl, Duration bound) throws SQLException {
        var parameters = parameters(key, holder, ttl);
        parameters.put("lock_timeout", Statements.firstLockTimeout(bound));
        try {
            var rows = statements.run(
                    lane, bound, new Filled(acquireFirst, parameters), answer -> rowsByKey(answer, Map.of(1, key)));
            return Optional.ofNullable(rows.get(key));
        } catch (SQLException e) {
            if (SqlState.LOCK_NOT_AVAILABLE.isIn(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static Map<String, Object> parameters(Key key, String holder, Duration ttl) {
        return new HashMap<>(Map.of(
                "name", key.name(),
                "holder", holder,
                "period_micros", Micros.of(key.grid().period()),
                "offset_micros", Micros.of(key.grid().offset()),
                "ttl_micros", Micros.of(ttl)));
    }

    private static Map<String, Object> parametersOfMany(Map<Key, String> asked, Duration ttl) {
        List<Key> keys = List.copyOf(asked.keySet());
        return new HashMap<>(Map.of(
                "names", keys.stream().map(Key::name).toArray(String[]::new),
                "holders", keys.stream().map(asked::get).toArray(String[]::new),
                "periods_micros",
                        keys.stream().map(key -> Micros.of(key.grid().period())).toArray(Long[]::new),
                "offsets_micros",
                        keys.stream().map(key -> Micros.of(key.grid().offset())).toArray(Long[]::new),
                "ttl_micros", Micros.of(ttl)));
    }

    private static Map<Key, Row> rowsByKey(ResultSet rows, Map<Integer, Key> sent) throws SQLException {
        var byKey = new HashMap<Key, Row>();
        while (rows.next()) {
            long leftMicros = rows.getLong("left_micros");
            Optional<Duration> left = rows.wasNull() ? Optional.empty() : Optional.of(Micros.toDuration(leftMicros));
            var slot = new Slot(
                    Answer.instant(rows, "slot").orElseThrow(),
                    Micros.toDuration(rows.getLong("next_slot_micros")),
                    Answer.instant(rows, "done_slot"));
            byKey.put(
                    sent.get(rows.getInt("number")),
                    new Row(
                            rows.getString("holder"),
                            rows.getLong("fence"),
                            rows.getInt("deaths"),
                            left,
                            rows.getBoolean("is_due"),
                            slot));
        }
        return byKey;
    }
}
