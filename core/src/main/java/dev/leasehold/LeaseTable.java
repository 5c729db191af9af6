package dev.leasehold;

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
import javax.sql.DataSource;

/** The lease table: what each statement of {@link LeaseSql} is asked and how its answer is read. Thread-safe. */
final class LeaseTable {

    private final DataSource dataSource;
    private final OwnTransaction transaction = new OwnTransaction();
    private final NamedSql acquire;
    private final NamedSql acquireSlot;
    private final NamedSql renew;
    private final NamedSql renewWaiting;
    private final NamedSql find;
    private final NamedSql release;
    private final NamedSql releaseDone;
    private final NamedSql releaseAttempt;
    private final NamedSql rows;

    LeaseTable(DataSource dataSource, TableName table) {
        this.dataSource = dataSource;
        this.acquire = NamedSql.of(LeaseSql.ACQUIRE, table);
        this.acquireSlot = NamedSql.of(LeaseSql.ACQUIRE_SLOT, table);
        this.renew = NamedSql.of(LeaseSql.RENEW, table);
        this.renewWaiting = NamedSql.of(LeaseSql.RENEW_WAITING, table);
        this.find = NamedSql.of(LeaseSql.FIND, table);
        this.release = NamedSql.of(LeaseSql.RELEASE, table);
        this.releaseDone = NamedSql.of(LeaseSql.RELEASE_DONE, table);
        this.releaseAttempt = NamedSql.of(LeaseSql.RELEASE_ATTEMPT, table);
        this.rows = NamedSql.of(LeaseSql.ROWS, table);
    }

    Answer acquire(Lane lane, String name, String holder, Duration ttl, Duration bound) throws SQLException {
        var parameters = Map.of(
                "name", name, "holder", holder, "ttl_micros", Micros.of(ttl), "lock_timeout", lockTimeout(bound));
        return refusedIfLocked(() -> run(lane, bound, acquire, parameters, rows -> Answer.of(rows, holder)));
    }

    Answer acquireSlot(Lane lane, String name, String holder, Duration ttl, Grid grid, Duration bound)
            throws SQLException {
        long period = Micros.of(grid.period());
        var parameters = Map.of(
                "name",
                name,
                "holder",
                holder,
                "ttl_micros",
                Micros.of(ttl),
                "lock_timeout",
                lockTimeout(bound),
                "period_micros",
                period,
                "half_period_micros",
                period / 2,
                "offset_micros",
                Micros.of(grid.offset()));
        return refusedIfLocked(() -> run(lane, bound, acquireSlot, parameters, rows -> Answer.ofSlot(rows, holder)));
    }

    /** Which of the given leases were renewed. */
    Set<LeaseKey> renew(Lane lane, Collection<Renewal> renewals, Duration bound) throws SQLException {
        var parameters = Map.of(
                "names", texts(renewals, r -> r.key().name()),
                "holders", texts(renewals, r -> r.key().holder()),
                "fences", numbers(renewals, r -> r.key().fence()),
                "ttls_micros", numbers(renewals, r -> Micros.of(r.ttl())));
        return run(lane, bound, renew, parameters, LeaseTable::keys);
    }

    /** What to renew, and for how long. */
    record Renewal(LeaseKey key, Duration ttl) {}

    /**
     * Whether it was renewed; false if it is lost. Waits for the row lock, for at most half the bound.
     *
     * @throws SQLException also if the lock did not go in that time ({@link SqlState#LOCK_NOT_AVAILABLE})
     */
    boolean renewWaiting(Lane lane, Renewal renewal, Duration bound) throws SQLException {
        var key = renewal.key();
        var parameters = Map.of(
                "name", key.name(),
                "holder", key.holder(),
                "fence", key.fence(),
                "ttl_micros", Micros.of(renewal.ttl()),
                "lock_timeout", lockTimeout(bound));
        return run(lane, bound, renewWaiting, parameters, ResultSet::next);
    }

    /** What became of the rows of those leases; nothing is said of one that is gone or another's. */
    Map<LeaseKey, Found> find(Lane lane, Collection<LeaseKey> keys, Duration bound) throws SQLException {
        var parameters = Map.of(
                "names", texts(keys, LeaseKey::name),
                "holders", texts(keys, LeaseKey::holder),
                "fences", numbers(keys, LeaseKey::fence));
        return run(lane, bound, find, parameters, LeaseTable::found);
    }

    /** What became of a row. */
    enum Found {
        /** Of the right holder and fence. */
        UNRELEASED,
        /** Of the right holder and fence, released. */
        RELEASED,
        /** Deleted, or another's. */
        GONE
    }

    /** Whether a row was released; if not, it is locked by another, or lost. */
    boolean release(Lane lane, LeaseKey key, Optional<Instant> doneSlot, Duration bound) throws SQLException {
        if (doneSlot.isEmpty()) {
            var parameters = Map.of("name", key.name(), "holder", key.holder(), "fence", key.fence());
            return run(lane, bound, release, parameters, ResultSet::next);
        }
        var parameters =
                Map.of("name", key.name(), "holder", key.holder(), "fence", key.fence(), "slot", doneSlot.get());
        return run(lane, bound, releaseDone, parameters, ResultSet::next);
    }

    /** Whether the attempt of that holder had acquired the lease after all, and it is now released. */
    boolean releaseAttempt(Lane lane, String name, String holder, Duration bound) throws SQLException {
        return run(lane, bound, releaseAttempt, Map.of("name", name, "holder", holder), ResultSet::next);
    }

    List<LeaseRow> rows(Lane lane, Duration bound) throws SQLException {
        return run(lane, bound, rows, Map.of(), LeaseTable::leaseRows);
    }

    private <T> T run(
            Lane lane, Duration bound, NamedSql sql, Map<String, ?> parameters, OwnTransaction.Reader<T> reader)
            throws SQLException {
        // The socket's bound is the longer one, so that a cancel can end the statement without loss of the connection.
        var attempt = new Attempt<T>(
                dataSource,
                bound.multipliedBy(2),
                (connection, self) -> transaction.run(connection, sql, parameters, reader, self::mayBeSent));
        return lane.await(attempt, bound);
    }

    private interface AcquireCall {
        Answer run() throws SQLException;
    }

    /** A first insert that waited too long for another's insert is a refusal; the server has undone it. */
    private static Answer refusedIfLocked(AcquireCall call) throws SQLException {
        try {
            return call.run();
        } catch (SQLException e) {
            if (SqlState.LOCK_NOT_AVAILABLE.isIn(e)) {
                return Answer.HeldByOther.unknown();
            }
            throw e;
        }
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
            found.put(key(rows), rows.getBoolean("released") ? Found.RELEASED : Found.UNRELEASED);
        }
        return found;
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
                    rows.getInt("deaths"),
                    held,
                    held ? timeLeft(rows) : Duration.ZERO));
        }
        return List.copyOf(all);
    }

    private static Duration timeLeft(ResultSet rows) throws SQLException {
        long micros = rows.getLong("left_micros");
        return Micros.toDuration(rows.wasNull() ? Long.MAX_VALUE : micros);
    }

    private static <T> String[] texts(Collection<T> all, Function<T, String> text) {
        return all.stream().map(text).toArray(String[]::new);
    }

    private static <T> Long[] numbers(Collection<T> all, Function<T, Long> number) {
        return all.stream().map(number).toArray(Long[]::new);
    }

    private static String lockTimeout(Duration bound) {
        return Math.max(1, bound.toMillis() / 2) + "ms";
    }
}
