package dev.leasehold;

import dev.leasehold.Statements.Filled;
import dev.leasehold.internal.TableName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The lease table as it is asked for the slots of schedules. Thread-safe. */
final class SlotTable {

    /** A grid has no window, and a window no grid: then this one stands there, and is not looked at. */
    private static final Grid NO_GRID = Grid.every(Duration.ofSeconds(1));

    private final Statements statements;
    private final NamedSql acquire;
    private final NamedSql acquireOfGrid;
    private final NamedSql acquireMany;
    private final NamedSql acquireFirst;

    /**
     * Who asks, and with what.
     *
     * @param window instants of a schedule that is not a grid, around the database's time; empty for a grid
     */
    record Asked(String holder, Optional<Instants.Window> window) {}

    /**
     * A row of the table, as an acquire sees it after its own try.
     *
     * @param left empty if it never expires
     * @param isTold whether what was sent tells the slot, or that there is none, at the database's time
     * @param isDue whether the slot had no counted run
     * @param slot empty if none has come yet
     * @param askedAt the database's time
     * @param before what stood there before, if it was acquired
     */
    record Row(
            String holder,
            long fence,
            int deaths,
            Optional<Duration> left,
            Optional<String> pauseReason,
            boolean isTold,
            boolean isDue,
            Optional<Instant> slot,
            Duration nextIn,
            Instant askedAt,
            Optional<Before> before) {

        /** How long ago the slot came. */
        Duration late() {
            return slot.map(at -> Duration.between(at, askedAt)).orElse(Duration.ZERO);
        }
    }

    SlotTable(Statements statements, TableName table) {
        this.statements = statements;
        String acquireOne = NamedSql.ofOne(LeaseSql.ACQUIRE_SLOTS, LeaseSql.MANY_SLOTS, LeaseSql.ONE_SLOT);
        String lookAtOne = NamedSql.ofOne(LeaseSql.LOOK_AT_SLOTS, LeaseSql.MANY_SLOTS, LeaseSql.ONE_SLOT);
        this.acquire = NamedSql.together(table, acquireOne, lookAtOne);
        this.acquireOfGrid = NamedSql.together(
                table,
                NamedSql.ofOne(LeaseSql.ACQUIRE_SLOTS, LeaseSql.ASKED, LeaseSql.ASKED_ONE_GRID),
                NamedSql.ofOne(LeaseSql.LOOK_AT_SLOTS, LeaseSql.ASKED, LeaseSql.ASKED_ONE_GRID));
        this.acquireMany = NamedSql.together(table, LeaseSql.ACQUIRE_SLOTS, LeaseSql.LOOK_AT_SLOTS);
        this.acquireFirst =
                NamedSql.together(table, LeaseSql.FIRST_SLOT, LeaseSql.FIRST_INSTANT, acquireOne, lookAtOne);
    }

    /**
     * Acquires what is due, of names that have a row, and answers the rows.
     *
     * @param questions who asks for what
     */
    Attempt<Map<SlotRequest, Row>> acquire(Supplier<Map<SlotRequest, Asked>> questions, Duration ttl, Duration bound) {
        // The requests in the order in which they were sent, so that the reader finds them again.
        var sent = new HashMap<Integer, SlotRequest>();
        return statements.attempt(
                bound,
                () -> {
                    Map<SlotRequest, Asked> asked = questions.get();
                    asked.keySet().forEach(request -> sent.put(sent.size() + 1, request));
                    if (asked.size() > 1) {
                        return new Filled(acquireMany, parametersOfMany(asked, ttl));
                    }
                    var one = asked.entrySet().iterator().next();
                    boolean isOfGrid = one.getKey().schedule() instanceof Grid;
                    return new Filled(
                            isOfGrid ? acquireOfGrid : acquire, parameters(one.getKey(), one.getValue(), ttl));
                },
                rows -> rowsByRequest(rows, sent));
    }

    /** Acquires a slot of a name that may have no row yet; empty if the row vanished or an insert of it hangs. */
    Optional<Row> acquireFirst(Lane lane, SlotRequest request, Asked asked, Duration ttl, Duration bound)
            throws SQLException {
        var parameters = parameters(request, asked, ttl);
        parameters.put("lock_timeout", Statements.briefLockTimeout(bound));
        try {
            var rows = statements.run(
                    lane,
                    bound,
                    new Filled(acquireFirst, parameters),
                    answer -> rowsByRequest(answer, Map.of(1, request)));
            return Optional.ofNullable(rows.get(request));
        } catch (SQLException e) {
            if (SqlState.LOCK_NOT_AVAILABLE.isIn(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static Map<String, Object> parameters(SlotRequest request, Asked asked, Duration ttl) {
        return new HashMap<>(Map.of(
                "name", request.name(),
                "holder", asked.holder(),
                "period_micros", Micros.of(grid(request).period()),
                "offset_micros", Micros.of(grid(request).offset()),
                "window", text(asked.window()),
                "stamp", text(request.stamp()),
                "ttl_micros", Micros.of(ttl)));
    }

    private static Map<String, Object> parametersOfMany(Map<SlotRequest, Asked> asked, Duration ttl) {
        var requests = asked.keySet();
        return new HashMap<>(Map.of(
                "names",
                texts(requests, SlotRequest::name),
                "holders",
                texts(asked.values(), Asked::holder),
                "periods_micros",
                micros(requests, request -> grid(request).period()),
                "offsets_micros",
                micros(requests, request -> grid(request).offset()),
                "windows",
                texts(asked.values(), one -> text(one.window())),
                "stamps",
                texts(requests, request -> text(request.stamp())),
                "ttl_micros",
                Micros.of(ttl)));
    }

    private static <T> Long[] micros(Collection<T> all, Function<T, Duration> duration) {
        return all.stream().map(one -> Micros.of(duration.apply(one))).toArray(Long[]::new);
    }

    private static <T> String[] texts(Collection<T> all, Function<T, String> text) {
        return all.stream().map(text).toArray(String[]::new);
    }

    private static Grid grid(SlotRequest request) {
        return request.schedule() instanceof Grid grid ? grid : NO_GRID;
    }

    /** As an array of PostgreSQL, which begins and ends with infinity if the schedule does; nothing for a grid. */
    private static String text(Optional<Instants.Window> window) {
        return window.map(SlotTable::text).orElse("");
    }

    private static String text(Instants.Window window) {
        var texts = new ArrayList<String>();
        if (window.isFirst()) {
            texts.add("-infinity");
        }
        window.instants().forEach(instant -> texts.add(instant.toString()));
        if (window.isLast()) {
            texts.add("infinity");
        }
        return "{" + String.join(",", texts) + "}";
    }

    private static String text(Stamp stamp) {
        return switch (stamp) {
            case AT_END -> "at end";
            case AT_ACQUIRE -> "at acquire";
            case NEVER -> "never";
        };
    }

    private static Map<SlotRequest, Row> rowsByRequest(ResultSet rows, Map<Integer, SlotRequest> sent)
            throws SQLException {
        var byRequest = new HashMap<SlotRequest, Row>();
        while (rows.next()) {
            byRequest.put(sent.get(rows.getInt("number")), row(rows));
        }
        return byRequest;
    }

    private static Row row(ResultSet rows) throws SQLException {
        return new Row(
                rows.getString("holder"),
                rows.getLong("fence"),
                rows.getInt("deaths"),
                duration(rows, "left_micros"),
                Optional.ofNullable(rows.getString("pause_reason")),
                rows.getBoolean("is_told"),
                rows.getBoolean("is_due"),
                Answer.instant(rows, "slot"),
                duration(rows, "next_slot_micros").orElse(Slot.NO_MORE),
                Answer.instant(rows, "asked_at").orElseThrow(),
                Optional.ofNullable(rows.getString("before"))
                        .filter(before -> !before.isEmpty())
                        .map(Before::parse));
    }

    private static Optional<Duration> duration(ResultSet rows, String column) throws SQLException {
        long micros = rows.getLong(column);
        return rows.wasNull() ? Optional.empty() : Optional.of(Duration.of(micros, ChronoUnit.MICROS));
    }
}
