package dev.leasehold;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** What the table answered to an acquire. */
sealed interface Answer {

    /** The holder of a row that nobody holds and that rests until it expires. */
    String RESTING = "-";

    /** The lease is ours; {@code deaths} holders in a row died before. */
    record Won(long fence, int deaths, Optional<Slot> slot) implements Answer {}

    /** All are empty after a race; the holder alone where the lease rests, the time alone where it never expires. */
    record HeldByOther(Optional<String> holder, Optional<Duration> timeLeft, Optional<Duration> nextSlotIn)
            implements Answer {

        static HeldByOther unknown() {
            return new HeldByOther(Optional.empty(), Optional.empty(), Optional.empty());
        }
    }

    /** Free, but the slot was counted. */
    record NotDue(Duration nextSlotIn) implements Answer {}

    /** A win is a row whose holder is me; no row is a refusal after a race. */
    static Answer of(Optional<LeaseTable.Row> row, String me) {
        return row.map(r -> r.holder().equals(me)
                        ? new Won(r.fence(), r.deaths(), Optional.empty())
                        : refused(r.holder(), r.left(), Optional.empty()))
                .orElse(HeldByOther.unknown());
    }

    /** The answer to {@link LeaseSql#ACQUIRE_SLOT}. */
    static Answer ofSlot(ResultSet rows, String me) throws SQLException {
        if (!rows.next()) {
            return HeldByOther.unknown();
        }
        var slot = new Slot(
                instant(rows, "slot").orElseThrow(),
                Micros.toDuration(rows.getLong("next_slot_micros")),
                instant(rows, "done_slot"));
        if (isMine(rows, me)) {
            return won(rows, Optional.of(slot));
        }
        boolean free = rows.getLong("left_micros") <= 0 && !rows.wasNull();
        return free && !rows.getBoolean("due") ? new NotDue(slot.nextIn()) : refused(rows, Optional.of(slot.nextIn()));
    }

    static Optional<Instant> instant(ResultSet rows, String column) throws SQLException {
        return Optional.ofNullable(rows.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }

    private static boolean isMine(ResultSet rows, String me) throws SQLException {
        return rows.getString("holder").equals(me);
    }

    private static Won won(ResultSet rows, Optional<Slot> slot) throws SQLException {
        return new Won(rows.getLong("fence"), rows.getInt("deaths"), slot);
    }

    private static HeldByOther refused(ResultSet rows, Optional<Duration> nextSlotIn) throws SQLException {
        long leftMicros = rows.getLong("left_micros");
        Optional<Duration> left = rows.wasNull() ? Optional.empty() : Optional.of(Micros.toDuration(leftMicros));
        return refused(rows.getString("holder"), left, nextSlotIn);
    }

    /** A row that was free, and yet was not taken, is a race. */
    private static HeldByOther refused(String holder, Optional<Duration> left, Optional<Duration> nextSlotIn) {
        if (left.isPresent() && left.get().compareTo(Duration.ZERO) <= 0) {
            return HeldByOther.unknown();
        }
        return new HeldByOther(holder.equals(RESTING) ? Optional.empty() : Optional.of(holder), left, nextSlotIn);
    }
}
