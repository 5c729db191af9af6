package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives leases back: first the holder stops to believe, then the row is freed. Thread-safe. */
final class Releaser {

    private static final Logger log = LoggerFactory.getLogger(Releaser.class);

    private final LeaseTable table;
    private final Lane callers;
    private final Lane later;
    private final Background background;
    private final Listeners listeners;
    private final LeaseTerms terms;
    private final Duration bound;

    Releaser(Wiring wiring) {
        this.table = wiring.table();
        this.callers = wiring.callers();
        this.later = wiring.later();
        this.background = wiring.background();
        this.listeners = wiring.listeners();
        this.terms = wiring.terms();
        this.bound = wiring.bound();
    }

    /** Releases a lease that is renewed no more. Works on an interrupted thread, whose flag is kept. */
    ReleaseOutcome release(Lease lease, Optional<Instant> doneSlot) {
        if (!lease.move(Standing::released)) {
            return lease.state() == LeaseState.LOST ? ReleaseOutcome.LOST : ReleaseOutcome.RELEASED;
        }
        boolean interrupted = Thread.interrupted();
        try {
            return releaseRow(lease, doneSlot);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private ReleaseOutcome releaseRow(Lease lease, Optional<Instant> doneSlot) {
        try {
            if (released(callers, lease, doneSlot)) {
                return ReleaseOutcome.RELEASED;
            }
            if (!isStillMine(callers, lease)) {
                return lost(lease);
            }
            log.debug("lease {} is locked by another transaction: its release goes on in the background", lease.name());
        } catch (SQLException e) {
            log.warn("lease {} could not be released at once: its release goes on in the background", lease.name(), e);
        }
        background.repeat("release of lease " + lease.name(), terms.ttl(), () -> finish(lease, doneSlot));
        return ReleaseOutcome.PENDING;
    }

    /** What an attempt of unknown outcome may have acquired must not block the name for longer than needed. */
    void releaseAttempt(String name, String holder) {
        background.repeat(
                "release of an unanswered attempt on lease " + name,
                terms.ttl(),
                () -> table.releaseAttempt(later, name, holder, bound));
    }

    private boolean finish(Lease lease, Optional<Instant> doneSlot) throws SQLException {
        if (released(later, lease, doneSlot)) {
            return true;
        }
        if (isStillMine(later, lease)) {
            return false;
        }
        lost(lease);
        return true;
    }

    private boolean released(Lane lane, Lease lease, Optional<Instant> doneSlot) throws SQLException {
        if (!table.release(lane, lease.key(), doneSlot, bound)) {
            return false;
        }
        log.debug("lease {} released by {}", lease.name(), lease.holder());
        listeners.tell(lease, listener -> listener.released(lease));
        return true;
    }

    private boolean isStillMine(Lane lane, Lease lease) throws SQLException {
        return !table.stillMine(lane, List.of(lease.key()), bound).isEmpty();
    }

    private ReleaseOutcome lost(Lease lease) {
        log.warn(
                "lease {} of {} had been lost before its release: others may have held it meanwhile",
                lease.name(),
                lease.holder());
        listeners.tell(lease, listener -> listener.lost(lease));
        return ReleaseOutcome.LOST;
    }
}
