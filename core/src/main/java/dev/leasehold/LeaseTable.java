package dev.leasehold;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
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
    private final NamedSql stillMine;
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
        this.stillMine = NamedSql.of(LeaseSql.STILL_MINE, table);
        this.release = NamedSql.of(LeaseSql.RELEASE, table);
        this.releaseDone = NamedSql.of(LeaseSql.RELEASE_DONE, table);
        this.releaseAttempt = NamedSql.of(LeaseSql.RELEASE_ATTEMPT, table);
        this.rows = NamedSql.of(LeaseSql.ROWS, table);
    }

    /** What acquire answered. */
    sealed interface Answer {

        /** The lease is ours; {@code deaths} holders in a row died before. */
        record Won(long fence, int deaths, Optional<SlotAnswer> slot) implements Answer {}

        /** All are empty after a race; the holder alone where the lease rests. */
        record HeldByOther(Optional<String> holder, Optional<Duration> timeLeft, Optional<Duration> nextSlotIn)
                implements Answer {

            static HeldByOther unknown() {
                return new HeldByOther(Optional.empty(), Optional.empty(), Optional.empty());
            }
        }

        record NotDue(Duration nextSlotIn) implements Answer {}
    }

    /** The slot a run counts for, and the one counted before it. */
    record SlotAnswer(Instant slot, Duration nextSlotIn, Optional<Instant> previous) {}

    Answer acquire(Lane lane, String name, String holder, Duration ttl, Duration bound) throws SQLException {
        var parameters = Map.of(
                "name", name, "holder", holder, "ttl_micros", Micros.of(ttl), "lock_timeout", lockTimeout(bound));
        return refusedIfLocked(() ->
                run(lane, bound, acquire, parameters, rows -> answer(rows, holder, r -> Optional.empty())));
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
        return refusedIfLocked(
                () -> run(lane, bound, acquireSlot, parameters, rows -> answer(rows, holder, LeaseTable::slot)));
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

    /** Which of the given leases still stand in the table, unreleased and with the same holder and fence. */
    Set<LeaseKey> stillMine(Lane lane, Collection<LeaseKey> keys, Duration bound) throws SQLException {
        var parameters = Map.of(
                "names", texts(keys, LeaseKey::name),
                "holders", texts(keys, LeaseKey::holder),
                "fences", numbers(keys, LeaseKey::fence));
        return run(lane, bound, stillMine, parameters, LeaseTable::keys);
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

    private static Answer answer(ResultSet rows, String me, SlotReader slotReader) throws SQLException {
        if (!rows.next()) {
            return Answer.HeldByOther.unknown();
        }
        Optional<SlotAnswer> slot = slotReader.read(rows);
        String holder = rows.getString("holder");
        if (holder.equals(me)) {
            return new Answer.Won(rows.getLong("fence"), rows.getInt("deaths"), slot);
        }
        long leftMicros = rows.getLong("left_micros");
        if (leftMicros > 0) {
            Optional<String> known = holder.equals(RESTING) ? Optional.empty() : Optional.of(holder);
            return new Answer.HeldByOther(
                    known, Optional.of(Micros.toDuration(leftMicros)), slot.map(SlotAnswer::nextSlotIn));
        }
        if (slot.isPresent() && !rows.getBoolean("due")) {
            return new Answer.NotDue(slot.get().nextSlotIn());
        }
        return Answer.HeldByOther.unknown();
    }

    private interface SlotReader {
        Optional<SlotAnswer> read(ResultSet rows) throws SQLException;
    }

    private static Optional<SlotAnswer> slot(ResultSet rows) throws SQLException {
        return Optional.of(new SlotAnswer(
                instant(rows, "slot").orElseThrow(),
                Micros.toDuration(rows.getLong("next_slot_micros")),
                instant(rows, "done_slot")));
    }

    private static Set<LeaseKey> keys(ResultSet rows) throws SQLException {
        var keys = new HashSet<LeaseKey>();
        while (rows.next()) {
            keys.add(new LeaseKey(rows.getString("name"), rows.getString("holder"), rows.getLong("fence")));
        }
        return keys;
    }

    private static List<LeaseRow> leaseRows(ResultSet rows) throws SQLException {
        var all = new ArrayList<LeaseRow>();
        while (rows.next()) {
            boolean held = rows.getBoolean("held");
            all.add(new LeaseRow(
                    rows.getString("name"),
                    rows.getString("holder"),
                    instant(rows, "taken_at").orElseThrow(),
                    instant(rows, "expires_at").orElseThrow(),
                    rows.getLong("fence"),
                    instant(rows, "done_slot"),
                    rows.getInt("deaths"),
                    held,
                    held ? Micros.toDuration(rows.getLong("left_micros")) : Duration.ZERO));
        }
        return List.copyOf(all);
    }

    private static Optional<Instant> instant(ResultSet rows, String column) throws SQLException {
        return Optional.ofNullable(rows.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
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

    /** The holder of a row that nobody holds and that rests until it expires. */
    private static final String RESTING = "-";
}
