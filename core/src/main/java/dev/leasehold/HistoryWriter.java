package dev.leasehold;

import dev.leasehold.HistoryTable.Entry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the run history without letting it get in the way of what it tells of. An entry is written at once, within a
 * bound. If that fails, it and all that follow are put aside, and one task in the background tries again until nothing is
 * left; only the first are delayed. Thread-safe.
 */
final class HistoryWriter {

    private static final Logger log = LoggerFactory.getLogger(HistoryWriter.class);

    private static final Duration BOUND = Duration.ofSeconds(1);
    private static final Duration KEPT = Duration.ofMinutes(10);
    /** Its pauses grow to a twentieth of it, in which a busy instance has less to write than may be pending. */
    private static final Duration ONE_TASK = Duration.ofMinutes(2);

    private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);
    private static final int MOST_PENDING = 1_000;

    private final HistoryTable table;
    private final Background background;
    private final HistoryTurns turns;
    private final Deque<Entry> pending = new ArrayDeque<>();
    private boolean isBehind;
    private long lost;
    private long warnedNanos = System.nanoTime() - BETWEEN_WARNINGS.toNanos();

    HistoryWriter(HistoryTable table, HistoryTurns turns, Background background) {
        this.table = table;
        this.turns = turns;
        this.background = background;
    }

    /** Writes it now or later, and never fails. */
    void write(Entry entry) {
        if (isBehind()) {
            putAside(entry);
            return;
        }
        try {
            turns.await(BOUND, rest -> writtenOrPutAside(entry, rest));
        } catch (SQLException e) {
            log.debug("the run history is written in the background", e);
            putAside(entry);
        }
    }

    /** Those who have waited for their turn beside one that failed do not try, too. */
    private boolean writtenOrPutAside(Entry entry, Duration bound) {
        if (!isBehind() && isWritten(entry, bound)) {
            return true;
        }
        putAside(entry);
        return false;
    }

    private synchronized boolean isBehind() {
        return isBehind;
    }

    /** Whether nothing is left to do about it. */
    private boolean isWritten(Entry entry, Duration bound) {
        try {
            table.write(entry, bound);
            return true;
        } catch (Throwable thrown) {
            if (SqlState.isOfData(thrown)) {
                return isWrittenInAscii(entry, bound);
            }
            return isGivenUp(thrown);
        }
    }

    /** A database whose encoding lacks a character of the error refuses it with the whole row. */
    private boolean isWrittenInAscii(Entry entry, Duration bound) {
        try {
            table.write(entry.inAscii(), bound);
            return true;
        } catch (Throwable thrown) {
            return isGivenUp(thrown);
        }
    }

    /** What the table does not take as it is would only keep the others from their turn. */
    private boolean isGivenUp(Throwable thrown) {
        boolean isRefused = SqlState.isOfData(thrown) || SqlState.isOfConstraint(thrown);
        if (isRefused) {
            lose(1);
        }
        if (Thread.currentThread().isInterrupted()) {
            log.debug("a thread that writes the run history is interrupted; it is written in the background", thrown);
        } else {
            warn(thrown);
        }
        return isRefused;
    }

    private synchronized void lose(long entries) {
        lost += entries;
    }

    private synchronized void warn(Throwable thrown) {
        long now = System.nanoTime();
        if (now - warnedNanos < BETWEEN_WARNINGS.toNanos()) {
            log.debug("the run history could not be written", thrown);
            return;
        }
        warnedNanos = now;
        log.warn(
                "the run history could not be written; runs go on, and it is tried again ({} pending, {} given up): {}",
                pending.size(),
                lost,
                thrown + Hint.of(thrown, TableShape.RUN_HISTORY));
        lost = 0;
    }

    private void putAside(Entry entry) {
        synchronized (this) {
            if (pending.size() == MOST_PENDING) {
                pending.removeFirst();
                lost++;
            }
            pending.addLast(entry);
            if (isBehind) {
                return;
            }
            isBehind = true;
        }
        repeat();
    }

    private void repeat() {
        long endNanos = System.nanoTime() + ONE_TASK.toNanos();
        // The task ends itself, so it needs more time than it takes.
        background.repeat("the run history", ONE_TASK.multipliedBy(2), () -> isCaughtUp(endNanos));
    }

    /** At the end of its time a task is followed by a new one: somebody has to try until nothing is left. */
    private boolean isCaughtUp(long endNanos) {
        boolean isAllWritten = isAllWritten();
        if (!isAllWritten && System.nanoTime() - endNanos >= 0) {
            repeat();
            return true;
        }
        return isAllWritten;
    }

    private boolean isAllWritten() {
        try {
            for (Optional<Entry> next = next(); next.isPresent(); next = next()) {
                Entry entry = next.get();
                if (!turns.await(BOUND, rest -> isWritten(entry, rest))) {
                    return false;
                }
                remove(entry);
            }
            return true;
        } catch (SQLException noTurn) {
            return false;
        }
    }

    /** The oldest that is left; with none the history is written at once again. */
    private synchronized Optional<Entry> next() {
        while (!pending.isEmpty() && pending.getFirst().age().compareTo(KEPT) > 0) {
            pending.removeFirst();
            lost++;
        }
        isBehind = !pending.isEmpty();
        if (!isBehind && lost > 0) {
            log.warn("{} entries of the run history were given up", lost);
            lost = 0;
        }
        return Optional.ofNullable(pending.peekFirst());
    }

    /** Unless it was pushed out meanwhile. */
    private synchronized void remove(Entry entry) {
        pending.remove(entry);
    }
}
