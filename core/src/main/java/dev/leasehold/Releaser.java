package dev.leasehold;

import dev.leasehold.LeaseTable.Found;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives leases back: first the holder stops to believe, then the row is freed. Thread-safe. */
final class Releaser {

    private static final Logger log = LoggerFactory.getLogger(Releaser.class);

    private final LeaseTable table;
    private final Lane lane;
    private final Background background;
    private final Listeners listeners;
    private final SafeMetrics metrics;
    private final Duration bound;
    private final Consumer<String> whenFree;
    private final Batcher<LeaseKey, LeaseKey, LeaseKey> releases;
    private final Batcher<LeaseKey, Ending.Uncounted, LeaseKey> uncountedReleases;
    private final Batcher<LeaseKey, Ending.Stamped, LeaseKey> countedReleases;

    /**
     * @param whenFree told the name of each lease whose row is free again
     */
    Releaser(Wiring wiring, Consumer<String> whenFree) {
        this.whenFree = whenFree;
        this.table = wiring.table();
        this.lane = wiring.shared();
        this.background = wiring.background();
        this.listeners = wiring.listeners();
        this.metrics = wiring.metrics();
        this.bound = wiring.bound();
        this.releases = new Batcher<>(lane, table::release);
        this.uncountedReleases = new Batcher<>(lane, table::releaseUncounted);
        this.countedReleases = new Batcher<>(lane, table::releaseDone);
    }

    /** Works on an interrupted thread, whose flag is kept. A second release answers what became of the first. */
    ReleaseOutcome release(Lease lease, Ending ending) {
        if (!lease.move(Standing::released)) {
            return lease.state() == LeaseState.LOST ? ReleaseOutcome.LOST : lease.outcome();
        }
        lease.endsBy(ending);
        boolean interrupted = Thread.interrupted();
        try {
            return releaseRow(lease, ending);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private ReleaseOutcome releaseRow(Lease lease, Ending ending) {
        if (lease.turns().isCommitted()) {
            return released(lease);
        }
        try {
            if (isReleased(lease, ending)) {
                return released(lease);
            }
            Found found = find(lease);
            if (isFinished(lease, found)) {
                lease.turns().committed();
                return released(lease);
            }
            Optional<LossReason> lost = loss(found);
            if (lost.isPresent()) {
                return lost(lease, lost.get());
            }
            // A taker that came too late may have locked the row for a moment, to look at it again.
            if (isReleased(lease, ending)) {
                return released(lease);
            }
            log.debug("lease {} is locked by another transaction: its release goes on in the background", lease.name());
        } catch (SQLException e) {
            log.warn(
                    "lease {} could not be released at once, its release goes on in the background: {}",
                    lease.name(),
                    e + Hint.of(e));
        }
        background.repeat(
                "release of lease " + lease.name(),
                limit(lease.terms()),
                () -> finishRelease(lease, ending),
                () -> givenUp(lease));
        return ReleaseOutcome.PENDING;
    }

    /**
     * For how long a release is repeated: even when the lease has run out it is told what became of it, if that can be found
     * out.
     */
    static Duration limit(LeaseTerms terms) {
        return terms.ttl().multipliedBy(2);
    }

    /** If not, the row is locked by another, or the lease is lost. */
    private boolean isReleased(Lease lease, Ending ending) throws SQLException {
        try {
            return isReleased(lease.key(), ending);
        } catch (SQLException e) {
            if (UnknownOutcomeException.mayHaveLanded(e)) {
                lease.turns().releaseIsUnanswered();
            }
            throw e;
        }
    }

    private boolean isReleased(LeaseKey key, Ending ending) throws SQLException {
        if (ending instanceof Ending.Stamped stamped) {
            return countedReleases.ask(key, stamped, bound).isPresent();
        }
        if (ending instanceof Ending.Uncounted uncounted) {
            return uncountedReleases.ask(key, uncounted, bound).isPresent();
        }
        if (ending instanceof Ending.Rested rested) {
            return table.releaseToRest(lane, key, rested.rest(), bound);
        }
        return releases.ask(key, key, bound).isPresent();
    }

    /** What an attempt of unknown outcome may have acquired must not block the name for longer than needed. */
    void releaseAttempt(String name, String holder, Duration ttl) {
        background.repeat(
                "release of an unanswered attempt on lease " + name,
                ttl,
                () -> table.releaseAttempt(lane, name, holder, bound));
    }

    /**
     * A try may have got through without an answer: then the row is found released, by nobody but us, or another's before it
     * could have run out.
     */
    private boolean finishRelease(Lease lease, Ending ending) throws SQLException {
        if (isReleased(lease, ending)) {
            released(lease);
            return true;
        }
        Found found = find(lease);
        if (isFinished(lease, found)) {
            lease.turns().committed();
        }
        boolean gotThrough = lease.turns().isReleaseUnanswered() && isFreed(lease, found);
        if (found == Found.RELEASED || gotThrough || lease.turns().isCommitted()) {
            released(lease);
            return true;
        }
        Optional<LossReason> lost = loss(found);
        lost.ifPresent(reason -> lost(lease, reason));
        return lost.isPresent();
    }

    /** Whether a transaction of the caller has released the row. */
    private static boolean isFinished(Lease lease, Found found) {
        return lease.turns().isFinished() && isFreed(lease, found);
    }

    /** Whether the row was released: it is found so, or another's before it could have run out. */
    private static boolean isFreed(Lease lease, Found found) {
        boolean isTrusted = lease.timeLeft().compareTo(Duration.ZERO) > 0;
        return found == Found.RELEASED || (found == Found.ANOTHERS && isTrusted);
    }

    /** Empty if the row is still ours. */
    private static Optional<LossReason> loss(Found found) {
        return switch (found) {
            case UNRELEASED -> Optional.empty();
            case RELEASED -> Optional.of(LossReason.RELEASED_BY_OTHERS);
            case ANOTHERS -> Optional.of(LossReason.TAKEN_OVER);
            case DELETED -> Optional.of(LossReason.DELETED);
        };
    }

    private Found find(Lease lease) throws SQLException {
        return table.find(lane, List.of(lease.key()), bound).getOrDefault(lease.key(), Found.DELETED);
    }

    private ReleaseOutcome released(Lease lease) {
        lease.outcome(ReleaseOutcome.RELEASED);
        log.debug("lease {} released by {}", lease.name(), lease.holder());
        whenFree.accept(lease.name());
        metrics.released(lease.name());
        listeners.tell(lease, listener -> listener.released(lease));
        return ReleaseOutcome.RELEASED;
    }

    /** It has run out since, or will: whoever acquires it next takes this holder for dead. */
    private void givenUp(Lease lease) {
        log.warn(
                "the release of lease {} of {} is given up after {}: it runs out, and its slot may run again",
                lease.name(),
                lease.holder(),
                limit(lease.terms()));
        ReleaseOutcome unused = tellLoss(lease, LossReason.RELEASE_GIVEN_UP);
    }

    private ReleaseOutcome lost(Lease lease, LossReason reason) {
        log.warn(
                "lease {} of {} had been lost before its release, others may have held it meanwhile: {}",
                lease.name(),
                lease.holder(),
                reason);
        return tellLoss(lease, reason);
    }

    private ReleaseOutcome tellLoss(Lease lease, LossReason reason) {
        lease.outcome(ReleaseOutcome.LOST);
        metrics.lost(lease.name(), reason);
        listeners.tell(lease, listener -> listener.lost(lease, reason));
        return ReleaseOutcome.LOST;
    }
}
