package dev.leasehold;

import dev.leasehold.Statements.Filled;
import dev.leasehold.internal.TableName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The run history: what each statement of {@link HistorySql} is asked and how its answer is read. Thread-safe. */
final class HistoryTable {

    private final Statements statements;
    private final Lane lane;
    private final NamedSql began;
    private final NamedSql ended;
    private final NamedSql died;
    private final NamedSql runs;
    private final NamedSql runsOf;
    private final NamedSql deleteOld;

    HistoryTable(Statements statements, TableName table, Lane lane) {
        this.statements = statements;
        this.lane = lane;
        this.began = named(HistorySql.BOUNDS + ";\n" + HistorySql.BEGAN, table);
        this.ended = named(HistorySql.BOUNDS + ";\n" + HistorySql.ENDED, table);
        this.died = named(HistorySql.BOUNDS + ";\n" + HistorySql.DIED, table);
        this.runs = named(HistorySql.RUNS, table);
        this.runsOf = named(HistorySql.RUNS_OF, table);
        this.deleteOld = named(HistorySql.DELETE_OLD, table);
    }

    private static NamedSql named(String text, TableName table) {
        return NamedSql.of(text, TableShape.RUN_HISTORY.name(), table);
    }

    /**
     * What is to be written.
     *
     * @param atNanos when it happened, by {@link System#nanoTime}
     */
    record Entry(NamedSql sql, Map<String, ?> values, long atNanos) {

        private Entry(NamedSql sql, Map<String, ?> values) {
            this(sql, values, System.nanoTime());
        }

        Duration age() {
            return Duration.ofNanos(System.nanoTime() - atNanos);
        }

        /** The same with an error that every encoding has the characters of. */
        Entry inAscii() {
            var inAscii = new HashMap<String, Object>(values);
            inAscii.computeIfPresent("error", (key, error) -> ErrorText.inAscii((String) error));
            return new Entry(sql, inAscii, atNanos);
        }

        private Map<String, ?> valuesOfNow() {
            var ofNow = new HashMap<String, Object>(values);
            ofNow.put("ago_micros", Micros.of(age()));
            return ofNow;
        }
    }

    Entry began(LeaseKey key, Optional<Slot> slot, String round, String node) {
        return new Entry(
                began,
                Map.of(
                        "lease", key.name(),
                        "fence", key.fence(),
                        "round", round,
                        "node", node,
                        "slot", text(slot.map(Slot::at)),
                        "extra", slot.filter(one -> one.stamp() == Stamp.NEVER).isPresent(),
                        "holder", key.holder(),
                        "counted",
                                slot.filter(one -> one.stamp() == Stamp.AT_ACQUIRE)
                                        .isPresent()));
    }

    Entry ended(RunEnd end) {
        var values = new HashMap<String, Object>(Map.of(
                "lease", end.lease(),
                "fence", end.fence(),
                "round", end.round(),
                "node", end.node(),
                "slot", text(end.slot()),
                "extra", end.extra(),
                "holder", end.holder()));
        values.put("took_micros", Micros.of(end.took()));
        values.put("outcome", end.outcome());
        values.put("counted", end.counted());
        values.put("error", end.error().map(ErrorText::kept).orElse(""));
        return new Entry(ended, values);
    }

    Entry died(String round, String lease, DeadHolder dead, boolean counted) {
        return new Entry(
                died,
                Map.of(
                        "lease",
                        lease,
                        "fence",
                        dead.fence(),
                        "round",
                        round,
                        "holder",
                        dead.holder(),
                        "taken_at",
                        dead.takenAt(),
                        "counted",
                        counted));
    }

    /** Half of the bound is for a lock. */
    void write(Entry entry, Duration bound) throws SQLException {
        String lockTimeout = Statements.millis(bound.dividedBy(2));
        var attempt = statements.attempt(
                bound,
                () -> {
                    var values = new HashMap<String, Object>(entry.valuesOfNow());
                    values.put("lock_timeout", lockTimeout);
                    return new Filled(entry.sql(), values);
                },
                rows -> true);
        lane.await(attempt, bound);
    }

    List<RecordedRun> runs(long most, Duration bound) throws SQLException {
        return statements.read(lane, bound, new Filled(runs, Map.of("most", most)), HistoryTable::recordedRuns);
    }

    List<RecordedRun> runsOf(String round, long most, Duration bound) throws SQLException {
        var parameters = Map.of("round", round, "most", most);
        return statements.read(lane, bound, new Filled(runsOf, parameters), HistoryTable::recordedRuns);
    }

    /** How many rows were deleted, the given number at most. */
    long deleteOld(Duration age, long most, Duration bound) throws SQLException {
        var parameters = Map.of("age_micros", Micros.of(age), "most", most);
        return statements.run(
                lane, bound, new Filled(deleteOld, parameters), rows -> rows.next() ? rows.getLong("deleted") : 0L);
    }

    private static List<RecordedRun> recordedRuns(ResultSet rows) throws SQLException {
        var all = new ArrayList<RecordedRun>();
        while (rows.next()) {
            all.add(new RecordedRun(
                    rows.getString("lease"),
                    rows.getLong("fence"),
                    rows.getString("round"),
                    Optional.ofNullable(rows.getString("node")),
                    Answer.instant(rows, "slot"),
                    rows.getBoolean("extra"),
                    rows.getString("holder"),
                    Answer.instant(rows, "started_at").orElseThrow(),
                    Answer.instant(rows, "ended_at"),
                    Optional.ofNullable(rows.getString("outcome")),
                    rows.getBoolean("counted"),
                    Optional.ofNullable(rows.getString("error"))));
        }
        return List.copyOf(all);
    }

    private static String text(Optional<Instant> slot) {
        return slot.map(Instant::toString).orElse("");
    }
}
