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
    record HeldByOther(
            Optional<String> holder, Optional<Duration> timeLeft, Optional<Duration> nextSlotIn, boolean isDue)
            implements Answer {

        static HeldByOther unknown() {
            return new HeldByOther(Optional.empty(), Optional.empty(), Optional.empty(), false);
        }
    }

    /** Free, but the slot was counted, or none has come yet. */
    record NotDue(Duration nextSlotIn) implements Answer {}

    /** Paused by an operator. */
    record Paused(String reason, Duration nextSlotIn) implements Answer {}

    /** A win is a row whose holder is me; no row is a refusal after a race. */
    static Answer of(Optional<LeaseTable.Row> row, String me) {
        return row.map(r -> r.holder().equals(me)
                        ? new Won(r.fence(), r.deaths(), Optional.empty())
                        : refused(r.holder(), r.left(), Optional.empty(), false))
                .orElse(HeldByOther.unknown());
    }

    /** As {@link #of}, for a slot. */
    static Answer ofSlot(Optional<SlotTable.Row> row, String me, Stamp stamp) {
        return row.map(r -> ofSlot(r, me, stamp)).orElse(HeldByOther.unknown());
    }

    private static Answer ofSlot(SlotTable.Row row, String me, Stamp stamp) {
        if (row.holder().equals(me)) {
            return new Won(
                    row.fence(),
                    row.deaths(),
                    row.slot()
                            .map(slot -> new Slot(
                                    slot,
                                    row.late(),
                                    row.nextIn(),
                                    row.before().flatMap(Before::doneSlot),
                                    stamp,
                                    row.deaths() > 0
                                            ? row.before()
                                                    .filter(before ->
                                                            !before.holder().equals(RESTING))
                                                    .map(Before::asDead)
                                            : Optional.empty())));
        }
        boolean isFree =
                isOver(row.left()) || (stamp == Stamp.NEVER && row.holder().equals(RESTING));
        if (isFree && row.pauseReason().isPresent()) {
            return new Paused(row.pauseReason().get(), row.nextIn());
        }
        if (!row.isTold()) {
            return refused(row.holder(), row.left(), Optional.empty(), false);
        }
        return isOver(row.left()) && !row.isDue()
                ? new NotDue(row.nextIn())
                : refused(row.holder(), row.left(), Optional.of(row.nextIn()), row.isDue());
    }

    static Optional<Instant> instant(ResultSet rows, String column) throws SQLException {
        return Optional.ofNullable(rows.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }

    /** A row that was free, and yet was not taken, is a race. */
    private static HeldByOther refused(
            String holder, Optional<Duration> left, Optional<Duration> nextSlotIn, boolean isDue) {
        if (isOver(left)) {
            return HeldByOther.unknown();
        }
        return new HeldByOther(
                holder.equals(RESTING) ? Optional.empty() : Optional.of(holder), left, nextSlotIn, isDue);
    }

    private static boolean isOver(Optional<Duration> left) {
        return left.isPresent() && left.get().compareTo(Duration.ZERO) <= 0;
    }
}
