package dev.leasehold;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases in danger whose rows others have locked: each waits for its row lock, and so stands in line before those who would
 * take it over. One waits at a time, in turns of half a bound, so that one row that stays locked takes nobody else's turn.
 * Thread-safe.
 */
final class InLine {

    private static final Logger log = LoggerFactory.getLogger(InLine.class);

    private final Wiring wiring;
    private final Renewer renewer;
    private final Map<LeaseKey, Renewing> waiting = new LinkedHashMap<>();
    private boolean taken;

    InLine(Wiring wiring, Renewer renewer) {
        this.wiring = wiring;
        this.renewer = renewer;
    }

    /** Joins the line, unless it stands there already. */
    void join(Renewing renewing) {
        synchronized (waiting) {
            if (waiting.putIfAbsent(renewing.key(), renewing) != null || taken) {
                return;
            }
            taken = true;
        }
        wiring.background().executor().execute(this::takeTurns);
    }

    private void takeTurns() {
        for (Renewing next = next(); next != null; next = next()) {
            boolean again = false;
            try {
                again = !isSettled(next);
            } catch (SQLException e) {
                renewer.failed(next, e);
            } catch (Throwable thrown) {
                log.error("the wait for the row of lease {} threw", next.lease().name(), thrown);
            }
            if (again) {
                join(next);
            }
        }
    }

    private @Nullable Renewing next() {
        synchronized (waiting) {
            var entries = waiting.values().iterator();
            if (!entries.hasNext()) {
                taken = false;
                return null;
            }
            Renewing next = entries.next();
            entries.remove();
            return next;
        }
    }

    /** False if the lock did not go in time. */
    private boolean isSettled(Renewing renewing) throws SQLException {
        if (renewer.isClosed() || renewing.lease().standing().ended()) {
            return true;
        }
        Reading sent = wiring.ticker().read();
        renewing.lease().turns().renewalWaits(true);
        try {
            if (wiring.table().renewWaiting(wiring.shared(), renewing.renewal(), wiring.bound())) {
                renewer.confirm(renewing, sent);
            }
            return true;
        } catch (SQLException e) {
            if (SqlState.LOCK_NOT_AVAILABLE.isIn(e)) {
                return false;
            }
            throw e;
        } finally {
            renewing.lease().turns().renewalWaits(false);
        }
    }
}
