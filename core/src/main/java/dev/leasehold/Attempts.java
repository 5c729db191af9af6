package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tries to acquire leases, and turns each answer into a lease that is renewed, a refusal or an error. Thread-safe. */
final class Attempts {

    private static final Logger log = LoggerFactory.getLogger(Leases.class);

    private final Wiring wiring;
    private final Acquirer acquirer;
    private final Renewer renewer;
    private final Releaser releaser;
    private final Function<Gained, Lease> leases;
    private final BooleanSupplier closed;
    private final Holders holders = new Holders();

    /**
     * @param leases makes the leases that were gained
     * @param closed whether nothing is to be acquired any more
     */
    Attempts(
            Wiring wiring, Renewer renewer, Releaser releaser, Function<Gained, Lease> leases, BooleanSupplier closed) {
        this.wiring = wiring;
        this.acquirer = new Acquirer(wiring);
        this.renewer = renewer;
        this.releaser = releaser;
        this.leases = leases;
        this.closed = closed;
    }

    /** One try, and what it was made with. */
    private record Attempted(String name, String holder, LeaseTerms terms, Reading sent) {

        Gained gained(Answer.Won won) {
            return new Gained(new LeaseKey(name, holder, won.fence()), won.slot(), won.deaths(), terms, sent);
        }
    }

    /**
     * What these leases make of a request.
     *
     * @throws IllegalArgumentException for a ttl that they cannot keep
     */
    LeaseTerms terms(LeaseRequest request) {
        return request.ttl()
                .map(ttl -> wiring.terms().withTtl(ttl, wiring.bound()))
                .orElse(wiring.terms());
    }

    /** What is to be done with a gained lease is done before any listener is told. */
    Acquisition tryAcquire(LeaseRequest request, Consumer<Lease> whenGained) {
        Attempted attempt = begun(request.name(), terms(request));
        Duration ttl = attempt.terms().ttl();
        Duration length =
                request.limit().filter(limit -> limit.compareTo(ttl) < 0).orElse(ttl);
        try {
            Answer answer = acquirer.acquire(attempt.name(), attempt.holder(), length);
            return acquisition(attempt, answer, lease -> {
                request.limit().ifPresent(limit -> limit(lease, limit, attempt.sent()));
                whenGained.accept(lease);
            });
        } catch (SQLException e) {
            throw unknown(attempt, e);
        }
    }

    Acquisition tryAcquireSlot(SlotRequest request) {
        Attempted attempt = begun(request.name(), wiring.terms());
        try {
            return acquisition(attempt, acquirer.acquireSlot(request, attempt.holder()), lease -> {});
        } catch (SQLException e) {
            throw unknown(attempt, e);
        }
    }

    private Attempted begun(String name, LeaseTerms terms) {
        return new Attempted(name, holders.next(), terms, wiring.ticker().read());
    }

    private static void limit(Lease lease, Duration limit, Reading sent) {
        lease.limit(new Limit(limit, Deadline.after(sent, lease.terms().trust(limit))));
    }

    private Acquisition acquisition(Attempted attempt, Answer answer, Consumer<Lease> whenGained) {
        if (answer instanceof Answer.Won won) {
            return new Acquisition.Acquired(gained(attempt.gained(won), whenGained));
        }
        if (answer instanceof Answer.NotDue notDue) {
            return new Acquisition.NotDue(notDue.nextSlotIn());
        }
        if (answer instanceof Answer.Paused paused) {
            return new Acquisition.Paused(paused.reason(), paused.nextSlotIn());
        }
        var other = (Answer.HeldByOther) answer;
        wiring.metrics().refused(attempt.name());
        log.debug("lease {} is busy: held by {}", attempt.name(), other.holder().orElse("unknown"));
        return new Acquisition.Busy(
                other.holder(),
                other.timeLeft(),
                other.nextSlotIn(),
                other.isDue(),
                other.holder().map(renewer::holds).orElse(false));
    }

    private Lease gained(Gained gained, Consumer<Lease> whenGained) {
        LeaseKey key = gained.key();
        var lease = leases.apply(gained);
        whenGained.accept(lease);
        // This only queues the event; after the renewal has it, a loss could be told before.
        wiring.listeners().tell(lease, listener -> listener.gained(lease));
        renewer.add(lease, gained.sent());
        wiring.metrics().acquired(key.name(), gained.deaths() > 0);
        if (closed.getAsBoolean()) {
            lease.abandon();
            throw new LeaseException("lease " + key.name() + " could not be acquired: the leases are closed");
        }
        if (gained.deaths() > 0) {
            log.info(
                    "lease {} taken over by {} (fence {}): {} holder(s) before it died without a release",
                    key.name(),
                    key.holder(),
                    key.fence(),
                    gained.deaths());
        } else {
            log.debug("lease {} gained by {} (fence {})", key.name(), key.holder(), key.fence());
        }
        return lease;
    }

    private LeaseException unknown(Attempted attempt, SQLException e) {
        wiring.metrics().failed(attempt.name());
        if (UnknownOutcomeException.mayHaveLanded(e)) {
            releaser.releaseAttempt(
                    attempt.name(), attempt.holder(), attempt.terms().ttl());
        }
        return new LeaseException(
                "lease " + attempt.name() + " could not be acquired: " + e.getMessage() + Hint.of(e), e);
    }
}
