package dev.leasehold;

import dev.leasehold.Statements.Filled;
import dev.leasehold.internal.TableName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The lease table: what each statement of {@link LeaseSql} is asked and how its answer is read. Thread-safe. */
final class LeaseTable {

    private final Statements statements;
    private final NamedSql acquire;
    private final NamedSql acquireMany;
    private final NamedSql acquireFirst;
    private final NamedSql renew;
    private final NamedSql renewWaiting;
    private final NamedSql extend;
    private final NamedSql find;
    private final NamedSql release;
    private final NamedSql releaseMany;
    private final NamedSql releaseDone;
    private final NamedSql releaseManyDone;
    private final NamedSql releaseUncounted;
    private final NamedSql releaseManyUncounted;
    private final NamedSql releaseToRest;
    private final NamedSql releaseAttempt;
    private final NamedSql deleteUnused;
    private final NamedSql rows;

    LeaseTable(Statements statements, TableName table) {
        this.statements = statements;
        this.acquire = NamedSql.together(table, LeaseSql.ACQUIRE, LeaseSql.LOOK);
        this.acquireMany = NamedSql.together(table, LeaseSql.ACQUIRE_MANY, LeaseSql.LOOK_MANY);
        this.acquireFirst = NamedSql.together(table, LeaseSql.ACQUIRE_FIRST, LeaseSql.ACQUIRE, LeaseSql.LOOK);
        this.renew = NamedSql.of(LeaseSql.RENEW, table);
        this.renewWaiting = NamedSql.of(LeaseSql.RENEW_WAITING, table);
        this.extend = NamedSql.of(LeaseSql.EXTEND, table);
        this.find = NamedSql.of(LeaseSql.FIND, table);
        this.release = NamedSql.of(LeaseSql.RELEASE, table);
        this.releaseMany = NamedSql.of(LeaseSql.RELEASE_MANY, table);
        this.releaseDone =
                NamedSql.of(NamedSql.ofOne(LeaseSql.RELEASE_DONE, LeaseSql.MANY_DONE, LeaseSql.ONE_DONE), table);
        this.releaseManyDone = NamedSql.of(LeaseSql.RELEASE_DONE, table);
        this.releaseUncounted = NamedSql.of(
                NamedSql.ofOne(LeaseSql.RELEASE_UNCOUNTED, LeaseSql.MANY_UNCOUNTED, LeaseSql.ONE_UNCOUNTED), table);
        this.releaseManyUncounted = NamedSql.of(LeaseSql.RELEASE_UNCOUNTED, table);
        this.releaseToRest = NamedSql.of(LeaseSql.RELEASE_TO_REST, table);
        this.releaseAttempt = NamedSql.of(LeaseSql.RELEASE_ATTEMPT, table);
        this.deleteUnused = NamedSql.of(LeaseSql.DELETE_UNUSED, table);
        this.rows = NamedSql.of(LeaseSql.ROWS, table);
    }

    /** Who asks for a lease, and for how long. */
    record Asked(String holder, Duration ttl) {}

    /** A row of the table, as an acquire sees it after its own try; no time left if it never expires. */
    record Row(String holder, long fence, int deaths, Optional<Duration> left) {}

    /**
     * Acquires, for each name that has a row, and answers the row.
     *
     * @param asked by name
     */
    Attempt<Map<String, Row>> acquire(Supplier<Map<String, Asked>> asked, Duration bound) {
        return statements.attempt(bound, () -> filled(asked.get()), LeaseTable::rowsByName);
    }

    private Filled filled(Map<String, Asked> asked) {
        var parameters = new HashMap<String, Object>();
        if (asked.size() == 1) {
            asked.forEach((name, one) -> parameters.putAll(
                    Map.of("name", name, "holder", one.holder(), "ttl_micros", Micros.of(one.ttl()))));
        } else {
            parameters.put("names", texts(asked.keySet(), name -> name));
            parameters.put("holders", texts(asked.values(), Asked::holder));
            parameters.put("ttls_micros", numbers(asked.values(), one -> Micros.of(one.ttl())));
        }
        return new Filled(asked.size() == 1 ? acquire : acquireMany, parameters);
    }

    /** Acquires a name that may have no row yet, and answers the row; empty if it vanished or an insert of it hangs. */
    Optional<Row> acquireFirst(Lane lane, String name, Asked asked, Duration bound) throws SQLException {
        var parameters = Map.of(
                "name",
                name,
                "holder",
                asked.holder(),
                "ttl_micros",
                Micros.of(asked.ttl()),
                "lock_timeout",
                Statements.briefLockTimeout(bound));
        try {
            return Optional.ofNullable(run(lane, bound, acquireFirst, parameters, LeaseTable::rowsByName)
                    .get(name));
        } catch (SQLException e) {
            if (SqlState.LOCK_NOT_AVAILABLE.isIn(e)) {
                // waited too long for another's insert: the server has undone ours
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Which of the given leases were renewed.
     *
     * @param ttls by lease
     * @param limits of the leases that have one
     */
    Set<LeaseKey> renew(Lane lane, Map<LeaseKey, Duration> ttls, Map<LeaseKey, Limit> limits, Duration bound)
            throws SQLException {
        List<LeaseKey> keys = List.copyOf(ttls.keySet());
        var parameters = new HashMap<String, Object>(arrays(keys));
        parameters.put("ttls_micros", numbers(ttls.values(), Micros::of));
        parameters.put(
                "limits_micros",
                numbers(keys, key -> limit(Optional.ofNullable(limits.get(key)).map(Limit::sinceAcquired))));
        return run(lane, bound, renew.forUpTo(keys.size()), parameters, rows -> {
            var renewed = new HashSet<LeaseKey>();
            while (rows.next()) {
                renewed.add(keys.get(rows.getInt("number") - 1));
            }
            return renewed;
        });
    }

    /**
     * Whether it was renewed; false if it is lost. Waits for the row lock, and fails with {@link
     * SqlState#LOCK_NOT_AVAILABLE} if it does not go in time.
     *
     * @param hasConnection told just before it is sent
     */
    Attempt<Boolean> renewWaiting(
            LeaseKey key, Optional<Duration> limit, Duration ttl, Duration wait, Runnable hasConnection) {
        var parameters = Map.of(
                "name", key.name(),
                "holder", key.holder(),
                "fence", key.fence(),
                "ttl_micros", Micros.of(ttl),
                "limit_micros", limit(limit),
                "lock_timeout", Statements.millis(wait));
        return statements.attempt(
                wait,
                () -> {
                    hasConnection.run();
                    return new Filled(renewWaiting, parameters);
                },
                ResultSet::next);
    }

    /**
     * Gives a lease another limit, from now on; the answer is that limit as a time since the acquisition, empty if the lease
     * is lost or at its old limit. Fails with {@link SqlState#LOCK_NOT_AVAILABLE} if another transaction has the row locked.
     */
    Optional<Duration> extend(Lane lane, LeaseKey key, Extension extension, Duration ttl, Duration bound)
            throws SQLException {
        var parameters = Map.of(
                "name", key.name(),
                "holder", key.holder(),
                "fence", key.fence(),
                "old_limit_micros", Micros.of(extension.before()),
                "limit_micros", Micros.of(extension.after()),
                "ttl_micros", Micros.of(ttl),
                "lock_timeout", Statements.briefLockTimeout(bound));
        return run(
                lane,
                bound,
                extend,
                parameters,
                rows -> rows.next()
                        ? Optional.of(Micros.toDuration(rows.getLong("limit_micros")))
                        : Optional.<Duration>empty());
    }

    /**
     * How the limit of a lease changes.
     *
     * @param before since the acquisition
     * @param after from now on
     */
    record Extension(Duration before, Duration after) {}

    /** What became of the rows of those leases; nothing is said of one that is deleted. */
    Map<LeaseKey, Found> find(Lane lane, Collection<LeaseKey> keys, Duration bound) throws SQLException {
        return run(lane, bound, find, arrays(keys), LeaseTable::found);
    }

    /** What became of a row. */
    enum Found {
        /** Of the right holder and fence. */
        UNRELEASED,
        /** Of the right holder and fence, released. */
        RELEASED,
        /** Of another holder or fence. */
        ANOTHERS,
        DELETED
    }

    /** Releases, and answers what was released; what is missing is locked by another, or lost. */
    Attempt<Map<LeaseKey, LeaseKey>> release(Supplier<Map<LeaseKey, LeaseKey>> leases, Duration bound) {
        return statements.attempt(bound, () -> filled(leases.get().keySet()), LeaseTable::keysByThemselves);
    }

    private Filled filled(Set<LeaseKey> keys) {
        if (keys.size() > 1) {
            return new Filled(releaseMany, arrays(keys));
        }
        var key = keys.iterator().next();
        return new Filled(release, Map.of("name", key.name(), "holder", key.holder(), "fence", key.fence()));
    }

    /** As {@link #release}, and sets the slots that were counted last. */
    Attempt<Map<LeaseKey, LeaseKey>> releaseDone(Supplier<Map<LeaseKey, Ending.Stamped>> leases, Duration bound) {
        return statements.attempt(bound, () -> filledDone(leases.get()), LeaseTable::keysByThemselves);
    }

    private Filled filledDone(Map<LeaseKey, Ending.Stamped> leases) {
        if (leases.size() == 1) {
            var one = leases.entrySet().iterator().next();
            var parameters = parameters(one.getKey(), one.getValue().isBegun());
            parameters.put("slot", text(one.getValue().doneSlot()));
            return new Filled(releaseDone, parameters);
        }
        var parameters = new HashMap<String, Object>(arrays(leases.keySet()));
        parameters.put("are_begun", answers(leases.values(), Ending.Stamped::isBegun));
        parameters.put("slots", texts(leases.values(), stamped -> text(stamped.doneSlot())));
        return new Filled(releaseManyDone, parameters);
    }

    /** As {@link #release}, of leases that were acquired for slots, without a stamp. */
    Attempt<Map<LeaseKey, LeaseKey>> releaseUncounted(
            Supplier<Map<LeaseKey, Ending.Uncounted>> leases, Duration bound) {
        return statements.attempt(bound, () -> filledUncounted(leases.get()), LeaseTable::keysByThemselves);
    }

    private Filled filledUncounted(Map<LeaseKey, Ending.Uncounted> leases) {
        if (leases.size() == 1) {
            var one = leases.entrySet().iterator().next();
            return new Filled(
                    releaseUncounted, parameters(one.getKey(), one.getValue().isBegun()));
        }
        var parameters = new HashMap<String, Object>(arrays(leases.keySet()));
        parameters.put("are_begun", answers(leases.values(), Ending.Uncounted::isBegun));
        return new Filled(releaseManyUncounted, parameters);
    }

    private static Map<String, Object> parameters(LeaseKey key, boolean isBegun) {
        return new HashMap<>(
                Map.of("name", key.name(), "holder", key.holder(), "fence", key.fence(), "is_begun", isBegun));
    }

    /** Whether it was released, and rests for that long. */
    boolean releaseToRest(Lane lane, LeaseKey key, Duration rest, Duration bound) throws SQLException {
        var parameters = Map.of(
                "name", key.name(),
                "holder", key.holder(),
                "fence", key.fence(),
                "rest_micros", Micros.of(rest));
        return run(lane, bound, releaseToRest, parameters, ResultSet::next);
    }

    /** Whether the attempt of that holder had acquired the lease after all, and it is now released. */
    boolean releaseAttempt(Lane lane, String name, String holder, Duration bound) throws SQLException {
        return run(lane, bound, releaseAttempt, Map.of("name", name, "holder", holder), ResultSet::next);
    }

    /** How many rows were deleted, the given number at most: those that were unused for that long. */
    long deleteUnused(Lane lane, Duration unusedFor, long most, Duration bound) throws SQLException {
        var parameters = Map.of("unused_micros", Micros.of(unusedFor), "most", most);
        return run(lane, bound, deleteUnused, parameters, LeaseTable::count);
    }

    List<LeaseRow> rows(Lane lane, Duration bound) throws SQLException {
        return statements.read(lane, bound, new Filled(rows, Map.of()), LeaseTable::leaseRows);
    }

    private <T> T run(
            Lane lane, Duration bound, NamedSql sql, Map<String, ?> parameters, OwnTransaction.Reader<T> reader)
            throws SQLException {
        return statements.run(lane, bound, new Filled(sql, parameters), reader);
    }

    private static Map<String, Row> rowsByName(ResultSet rows) throws SQLException {
        var byName = new HashMap<String, Row>();
        while (rows.next()) {
            long leftMicros = rows.getLong("left_micros");
            Optional<Duration> left = rows.wasNull() ? Optional.empty() : Optional.of(Micros.toDuration(leftMicros));
            var row = new Row(rows.getString("holder"), rows.getLong("fence"), rows.getInt("deaths"), left);
            byName.put(rows.getString("name"), row);
        }
        return byName;
    }

    private static Map<LeaseKey, LeaseKey> keysByThemselves(ResultSet rows) throws SQLException {
        var byThemselves = new HashMap<LeaseKey, LeaseKey>();
        for (LeaseKey key : keys(rows)) {
            byThemselves.put(key, key);
        }
        return byThemselves;
    }

    private static Map<String, ?> arrays(Collection<LeaseKey> keys) {
        return Map.of(
                "names", texts(keys, LeaseKey::name),
                "holders", texts(keys, LeaseKey::holder),
                "fences", numbers(keys, LeaseKey::fence));
    }

    private static Set<LeaseKey> keys(ResultSet rows) throws SQLException {
        var keys = new HashSet<LeaseKey>();
        while (rows.next()) {
            keys.add(key(rows));
        }
        return keys;
    }

    private static Map<LeaseKey, Found> found(ResultSet rows) throws SQLException {
        var found = new HashMap<LeaseKey, Found>();
        while (rows.next()) {
            Found ours = rows.getBoolean("released") ? Found.RELEASED : Found.UNRELEASED;
            found.put(key(rows), rows.getBoolean("ours") ? ours : Found.ANOTHERS);
        }
        return found;
    }

    private static long count(ResultSet rows) throws SQLException {
        return rows.next() ? rows.getLong(1) : 0;
    }

    private static LeaseKey key(ResultSet rows) throws SQLException {
        return new LeaseKey(rows.getString("name"), rows.getString("holder"), rows.getLong("fence"));
    }

    private static List<LeaseRow> leaseRows(ResultSet rows) throws SQLException {
        var all = new ArrayList<LeaseRow>();
        while (rows.next()) {
            boolean held = rows.getBoolean("held");
            all.add(new LeaseRow(
                    rows.getString("name"),
                    rows.getString("holder"),
                    Answer.instant(rows, "taken_at").orElseThrow(),
                    Answer.instant(rows, "expires_at").orElseThrow(),
                    rows.getLong("fence"),
                    Answer.instant(rows, "done_slot"),
                    rows.getBoolean("made_due"),
                    rows.getInt("deaths"),
                    Optional.ofNullable(rows.getString("pause_reason")),
                    held,
                    held ? timeLeft(rows) : Duration.ZERO));
        }
        return List.copyOf(all);
    }

    private static Duration timeLeft(ResultSet rows) throws SQLException {
        long micros = rows.getLong("left_micros");
        return Micros.toDuration(rows.wasNull() ? Long.MAX_VALUE : micros);
    }

    private static long limit(Optional<Duration> limit) {
        return limit.map(Micros::of).orElse(-1L);
    }

    private static String text(Optional<Instant> slot) {
        return slot.map(Instant::toString).orElse("");
    }

    private static <T> Boolean[] answers(Collection<T> all, Predicate<T> answer) {
        return all.stream().map(answer::test).toArray(Boolean[]::new);
    }

    private static <T> String[] texts(Collection<T> all, Function<T, String> text) {
        return all.stream().map(text).toArray(String[]::new);
    }

    private static <T> Long[] numbers(Collection<T> all, Function<T, Long> number) {
        return all.stream().map(number).toArray(Long[]::new);
    }
}
