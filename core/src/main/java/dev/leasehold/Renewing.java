package dev.leasehold;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** When one lease is renewed next. Thread-safe. */
final class Renewing {

    private static final Duration SHORTEST_RETRY = Duration.ofMillis(50);

    private final Lease lease;
    private final LeaseTerms terms;
    private Reading confirmed;
    private long nextNanos;
    private boolean unconfirmed;

    Renewing(Lease lease, Reading sent) {
        this.lease = lease;
        this.terms = lease.terms();
        this.confirmed = sent;
        this.nextNanos = sent.monotonicNanos() + terms.renewEvery().toNanos();
    }

    Lease lease() {
        return lease;
    }

    LeaseKey key() {
        return lease.key();
    }

    Optional<Limit> limit() {
        return lease.limit();
    }

    synchronized boolean isDue(Reading now) {
        return nextNanos - now.monotonicNanos() <= 0;
    }

    /** Due within half a period: renewed along with one that is due, so that all come to share one statement. */
    synchronized boolean isNearlyDue(Reading now) {
        return nextNanos - now.monotonicNanos() <= terms.renewEvery().toNanos() / 2;
    }

    synchronized Duration nextIn(Reading now) {
        return Duration.ofNanos(nextNanos - now.monotonicNanos());
    }

    /**
     * Sent at that moment and confirmed; one that was so long on its way that the trust is over again confirms nothing.
     *
     * @param limit that was sent: an extension may have been answered since, of whose limit this renewal knew nothing
     */
    synchronized Confirmation confirm(Reading sent, @Nullable Limit limit, Reading now) {
        Deadline trust = Deadline.after(sent, terms.trust());
        Deadline reached = limit == null ? trust : trust.earlier(limit.until());
        lease.move(standing -> standing.renewed(reached));
        Duration late = Duration.ofNanos(sent.monotonicNanos() - confirmed.monotonicNanos())
                .minus(terms.renewEvery());
        boolean isLate = late.compareTo(terms.renewEvery()) >= 0;
        boolean isReconfirmed = unconfirmed && lease.standing().state(now) == LeaseState.HELD;
        confirmed = sent;
        nextNanos = sent.monotonicNanos() + terms.renewEvery().toNanos();
        unconfirmed &= !isReconfirmed;
        return new Confirmation(isLate ? Optional.of(late) : Optional.empty(), isReconfirmed);
    }

    /**
     * What was remarkable about a renewal.
     *
     * @param late how much later than planned, if a period or more
     * @param isReconfirmed whether the own deadline had passed before, and the lease is held again
     */
    record Confirmation(Optional<Duration> late, boolean isReconfirmed) {}

    synchronized void isDueAt(Reading moment) {
        nextNanos = moment.monotonicNanos();
    }

    /** Past its limit: there is nothing to renew, but its loss is still to be told. */
    synchronized void isLookedAtAgain(Reading now) {
        nextNanos = now.monotonicNanos() + terms.renewEvery().toNanos();
    }

    /** After a failure: sooner than a period, in a fifth of the time that is left, with jitter. */
    synchronized void tryAgain(Reading now) {
        Duration fifth = lease.standing().deadline().timeLeft(now).dividedBy(5);
        Duration pause =
                fifth.compareTo(Duration.ZERO) > 0 ? fifth : terms.renewEvery().dividedBy(4);
        pause = pause.compareTo(terms.renewEvery()) < 0 ? pause : terms.renewEvery();
        pause = pause.compareTo(SHORTEST_RETRY) < 0 ? SHORTEST_RETRY : pause;
        nextNanos = now.monotonicNanos() + ThreadLocalRandom.current().nextLong(pause.toNanos() / 2, pause.toNanos());
    }

    /**
     * Half its life has gone since the last confirmed renewal, or, after a suspend, more than the monotonic clock has seen. Not
     * past its limit, where no renewal is missing.
     */
    synchronized boolean isInDanger(Reading now) {
        return !lease.standing().isPastLimit(now) && isMissingARenewal(now);
    }

    private boolean isMissingARenewal(Reading now) {
        return now.monotonicNanos() - confirmed.monotonicNanos() > terms.ttl().toNanos() / 2
                || lease.standing().state(now) == LeaseState.UNCONFIRMED;
    }

    /** True once each time the own deadline passes. */
    synchronized boolean becomesUnconfirmed(Reading now) {
        if (unconfirmed || lease.standing().state(now) != LeaseState.UNCONFIRMED) {
            return false;
        }
        unconfirmed = true;
        isDueAt(now);
        return true;
    }
}
