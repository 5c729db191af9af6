package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases in danger whose rows others have locked: each waits for its row lock, and so stands in line before those who would
 * take it over. One waits at a time. Alone, it waits for a whole ttl without a break in which another could get ahead; with
 * others behind it, in turns of half a bound, so that one row that stays locked takes nobody else's turn. Thread-safe.
 */
final class InLine {

    private static final Logger log = LoggerFactory.getLogger(InLine.class);

    private final Wiring wiring;
    private final Renewer renewer;
    private final Map<LeaseKey, Renewing> line = new LinkedHashMap<>();
    private boolean isTaken;
    private @Nullable LeaseKey inTurn;
    private Lane.@Nullable Ticket<Boolean> longWait;

    InLine(Wiring wiring, Renewer renewer) {
        this.wiring = wiring;
        this.renewer = renewer;
    }

    /** Joins the line, unless it stands there already; ends the wait of one that waits for long. */
    void join(Renewing renewing) {
        synchronized (line) {
            if (renewing.key().equals(inTurn) || line.putIfAbsent(renewing.key(), renewing) != null) {
                return;
            }
            if (isTaken) {
                endLongWait("others are in line");
                return;
            }
            isTaken = true;
        }
        wiring.background().executor().execute(this::takeTurns);
    }

    /** It is not to be renewed any more. */
    void leave(LeaseKey key) {
        synchronized (line) {
            line.remove(key);
            if (key.equals(inTurn)) {
                endLongWait("the lease is released");
            }
        }
    }

    private void endLongWait(String why) {
        if (longWait != null) {
            longWait.giveUp(why);
            longWait = null;
        }
    }

    private void takeTurns() {
        for (Renewing next = next(); next != null; next = next()) {
            Lease lease = next.lease();
            boolean again = false;
            lease.turns().renewalWaits(true);
            try {
                again = renewer.renews(next.key()) && !isSettled(next);
            } catch (SQLException e) {
                renewer.failed(next, e);
            } catch (Throwable thrown) {
                log.error("the wait for the row of lease {} threw", lease.name(), thrown);
            } finally {
                lease.turns().renewalWaits(false);
            }
            if (again) {
                standBehind(next);
            }
        }
    }

    private @Nullable Renewing next() {
        synchronized (line) {
            var entries = line.values().iterator();
            if (!entries.hasNext()) {
                isTaken = false;
                inTurn = null;
                return null;
            }
            Renewing next = entries.next();
            entries.remove();
            inTurn = next.key();
            return next;
        }
    }

    private void standBehind(Renewing renewing) {
        synchronized (line) {
            line.put(renewing.key(), renewing);
        }
    }

    /** False if the lock did not go in time, or the wait was ended for those behind. */
    private boolean isSettled(Renewing renewing) throws SQLException {
        Reading sent = wiring.ticker().read();
        Duration bound = wiring.bound();
        Lane.Ticket<Boolean> ticket;
        boolean isAlone;
        Duration wait;
        synchronized (line) {
            isAlone = line.isEmpty();
            wait = isAlone ? wiring.terms().ttl() : bound.dividedBy(2);
            ticket = wiring.shared()
                    .enqueue(wiring.table()
                            .renewWaiting(renewing.key(), wiring.terms().ttl(), wait));
            longWait = isAlone ? ticket : null;
        }
        try {
            if (ticket.await(wait.plus(bound))) {
                renewer.confirm(renewing, sent);
            }
            return true;
        } catch (SQLException e) {
            if (wasEnded(isAlone) || SqlState.LOCK_NOT_AVAILABLE.isIn(e)) {
                return false;
            }
            throw e;
        } finally {
            synchronized (line) {
                longWait = null;
            }
        }
    }

    private boolean wasEnded(boolean wasLong) {
        synchronized (line) {
            return wasLong && longWait == null;
        }
    }
}
