package dev.leasehold;

import dev.leasehold.LeaseTable.Found;
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
    private final Lane lane;
    private final Background background;
    private final Listeners listeners;
    private final LeaseTerms terms;
    private final Duration bound;

    Releaser(Wiring wiring) {
        this.table = wiring.table();
        this.lane = wiring.shared();
        this.background = wiring.background();
        this.listeners = wiring.listeners();
        this.terms = wiring.terms();
        this.bound = wiring.bound();
    }

    /** Works on an interrupted thread, whose flag is kept. A second release answers what became of the first. */
    ReleaseOutcome release(Lease lease, Optional<Instant> doneSlot) {
        if (!lease.move(Standing::released)) {
            return lease.state() == LeaseState.LOST ? ReleaseOutcome.LOST : lease.outcome();
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
            if (table.release(lane, lease.key(), doneSlot, bound)) {
                return released(lease);
            }
            if (find(lease) != Found.UNRELEASED) {
                return lost(lease);
            }
            log.debug("lease {} is locked by another transaction: its release goes on in the background", lease.name());
        } catch (SQLException e) {
            log.warn(
                    "lease {} could not be released at once, its release goes on in the background: {}",
                    lease.name(),
                    e + Hint.of(e));
        }
        background.repeat("release of lease " + lease.name(), terms.ttl(), () -> finish(lease, doneSlot));
        return ReleaseOutcome.PENDING;
    }

    /** What an attempt of unknown outcome may have acquired must not block the name for longer than needed. */
    void releaseAttempt(String name, String holder) {
        background.repeat(
                "release of an unanswered attempt on lease " + name,
                terms.ttl(),
                () -> table.releaseAttempt(lane, name, holder, bound));
    }

    /** The first try may have got through without an answer: then the row is found released, by nobody but us. */
    private boolean finish(Lease lease, Optional<Instant> doneSlot) throws SQLException {
        if (table.release(lane, lease.key(), doneSlot, bound)) {
            released(lease);
            return true;
        }
        return switch (find(lease)) {
            case UNRELEASED -> false;
            case RELEASED -> {
                released(lease);
                yield true;
            }
            case GONE -> {
                lost(lease);
                yield true;
            }
        };
    }

    private Found find(Lease lease) throws SQLException {
        return table.find(lane, List.of(lease.key()), bound).getOrDefault(lease.key(), Found.GONE);
    }

    private ReleaseOutcome released(Lease lease) {
        lease.outcome(ReleaseOutcome.RELEASED);
        log.debug("lease {} released by {}", lease.name(), lease.holder());
        listeners.tell(lease, listener -> listener.released(lease));
        return ReleaseOutcome.RELEASED;
    }

    private ReleaseOutcome lost(Lease lease) {
        lease.outcome(ReleaseOutcome.LOST);
        log.warn(
                "lease {} of {} had been lost before its release: others may have held it meanwhile",
                lease.name(),
                lease.holder());
        listeners.tell(lease, listener -> listener.lost(lease));
        return ReleaseOutcome.LOST;
    }
}
