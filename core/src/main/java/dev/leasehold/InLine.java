package dev.leasehold;

import dev.leasehold.internal.SafeLog;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases in danger whose rows others have locked: each waits for its row lock, and so stands in line before those who would
 * take it over. One waits at a time. Alone, it waits for a whole ttl without a break in which another could get ahead; with
 * others behind it, in turns of half a bound, so that one row that stays locked takes nobody else's turn. Thread-safe.
 */
final class InLine implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(InLine.class);

    private final Wiring wiring;
    private final Renewer renewer;
    private final Map<LeaseKey, Renewing> line = new LinkedHashMap<>();
    private boolean isTaken;
    private @Nullable LeaseKey inTurn;
    private Lane.@Nullable Ticket<Boolean> wait;
    private boolean isLong;
    private boolean makesWay;
    private boolean isClosed;

    InLine(Wiring wiring, Renewer renewer) {
        this.wiring = wiring;
        this.renewer = renewer;
    }

    /** Joins the line, unless it stands there already; ends the wait of one that waits for long. */
    void join(Renewing renewing) {
        synchronized (line) {
            if (isClosed || renewing.key().equals(inTurn) || line.putIfAbsent(renewing.key(), renewing) != null) {
                return;
            }
            if (isTaken && isLong) {
                endWait("others are in line");
            }
            startTurns();
        }
    }

    private void startTurns() {
        if (!isTaken && !makesWay && !line.isEmpty()) {
            isTaken = true;
            wiring.background().executor().execute(this::takeTurns);
        }
    }

    /** It is not to be renewed any more. */
    void leave(LeaseKey key) {
        synchronized (line) {
            line.remove(key);
            if (key.equals(inTurn)) {
                endWait("the lease is released");
            }
        }
    }

    /** A renewal found no connection: nobody waits in line until one has got through. */
    void makeWay() {
        synchronized (line) {
            makesWay = true;
            endWait("the renewal needs a connection");
        }
    }

    /** A renewal has got through. */
    void goOn() {
        synchronized (line) {
            makesWay = false;
            startTurns();
        }
    }

    /** Nobody waits any more: what is held now runs out. */
    @Override
    public void close() {
        synchronized (line) {
            isClosed = true;
            line.clear();
            endWait("the leases are closed");
        }
    }

    private void endWait(String why) {
        if (wait != null) {
            wait.giveUp(why);
            wait = null;
        }
    }

    private void takeTurns() {
        for (Renewing next = next(); next != null; next = next()) {
            Lease lease = next.lease();
            boolean again = false;
            lease.turns().renewalWaits(true);
            try {
                again = !isSettled(next);
            } catch (SQLException e) {
                renewer.failed(List.of(next), e);
            } catch (Throwable thrown) {
                SafeLog.error(log, "the wait for the row of lease " + lease.name() + " threw", thrown);
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
            if (makesWay || !entries.hasNext()) {
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
            if (!isClosed) {
                line.put(renewing.key(), renewing);
            }
        }
    }

    /** False if the lock did not go in time, or the wait was ended for others. */
    private boolean isSettled(Renewing renewing) throws SQLException {
        Lease lease = renewing.lease();
        Reading sent = wiring.ticker().read();
        Duration bound = wiring.bound();
        Optional<Limit> limit = renewing.limit();
        Lane.Ticket<Boolean> ticket;
        Duration longest;
        synchronized (line) {
            if (isClosed || !renewer.renews(renewing.key())) {
                return true;
            }
            isLong = line.isEmpty();
            longest = isLong ? lease.terms().ttl() : bound.dividedBy(2);
            ticket = wiring.shared()
                    .enqueue(wiring.table()
                            .renewWaiting(
                                    renewing.key(),
                                    limit.map(Limit::sinceAcquired),
                                    lease.terms().ttl(),
                                    longest,
                                    lease.turns()::renewalHasConnection));
            wait = ticket;
        }
        try {
            if (ticket.await(longest.plus(bound))) {
                renewer.confirm(renewing, sent, limit.orElse(null));
            }
            return true;
        } catch (SQLException e) {
            if (wasEnded() || isWaitOver(e)) {
                return false;
            }
            throw e;
        } finally {
            synchronized (line) {
                wait = null;
            }
        }
    }

    /** By its own lock_timeout, or a statement_timeout of the role. */
    private static boolean isWaitOver(SQLException e) {
        return SqlState.LOCK_NOT_AVAILABLE.isIn(e) || SqlState.QUERY_CANCELED.isIn(e);
    }

    private boolean wasEnded() {
        synchronized (line) {
            return wait == null;
        }
    }
}
