package dev.leasehold;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews every lease of one {@link Leases}, all with one statement, until each is released or lost. Owns one thread, whose
 * loop no Throwable ends.
 */
final class Renewer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Renewer.class);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final Wiring wiring;
    private final Map<LeaseKey, Renewing> held = new ConcurrentHashMap<>();
    private final Semaphore wake = new Semaphore(0);
    private final Semaphore oneInDanger = new Semaphore(1);
    private final Thread thread;
    private volatile boolean closed;

    Renewer(Wiring wiring) {
        this.wiring = wiring;
        this.thread = DaemonThreads.named("leasehold-renewal").newThread(this::loop);
    }

    void start() {
        thread.start();
    }

    void add(Lease lease, Reading sent) {
        held.put(lease.key(), new Renewing(lease, sent, wiring.terms()));
        wake.release();
    }

    void remove(Lease lease) {
        held.remove(lease.key());
    }

    List<Lease> held() {
        return held.values().stream().map(Renewing::lease).toList();
    }

    private void loop() {
        while (!closed) {
            try {
                pass();
            } catch (Throwable thrown) {
                log.error("a pass of the renewal threw; the next one follows", thrown);
            }
            pause();
        }
    }

    private void pause() {
        Reading now = wiring.ticker().read();
        Duration pause = LONGEST_PAUSE;
        for (Renewing renewing : held.values()) {
            Duration next = renewing.nextLookIn(now);
            pause = next.compareTo(pause) < 0 ? next : pause;
        }
        try {
            if (wake.tryAcquire(Math.max(pause.toNanos(), 1_000_000L), TimeUnit.NANOSECONDS)) {
                wake.drainPermits();
            }
        } catch (InterruptedException e) {
            log.debug("the renewal was interrupted; only closing ends it");
        }
    }

    private void pass() {
        Reading now = wiring.ticker().read();
        held.values().forEach(renewing -> noteUnconfirmed(renewing, now));
        if (held.values().stream().anyMatch(renewing -> renewing.isDue(now))) {
            renew(held.values().stream()
                    .filter(renewing -> renewing.isNearlyDue(now))
                    .toList());
        }
    }

    private void renew(List<Renewing> due) {
        Reading sent = wiring.ticker().read();
        try {
            Set<LeaseKey> renewed = wiring.table()
                    .renew(wiring.renewal(), due.stream().map(Renewing::renewal).toList(), wiring.bound());
            due.stream().filter(r -> renewed.contains(r.key())).forEach(r -> confirm(r, sent));
            List<Renewing> missing =
                    due.stream().filter(r -> !renewed.contains(r.key())).toList();
            if (!missing.isEmpty()) {
                classify(missing);
            }
        } catch (SQLException e) {
            due.forEach(renewing -> failed(renewing, e));
        }
    }

    /** What was not renewed is ours but locked, or lost. */
    private void classify(List<Renewing> missing) throws SQLException {
        Set<LeaseKey> mine = wiring.table()
                .stillMine(wiring.renewal(), missing.stream().map(Renewing::key).toList(), wiring.bound());
        for (Renewing renewing : missing) {
            if (mine.contains(renewing.key())) {
                later(renewing);
            } else {
                lost(renewing);
            }
        }
    }

    private void later(Renewing renewing) {
        Reading now = wiring.ticker().read();
        log.debug(
                "lease {} is locked by another transaction: it is renewed later",
                renewing.lease().name());
        renewing.tryAgain(now);
        if (renewing.isInDanger(now) && oneInDanger.tryAcquire()) {
            wiring.background().executor().execute(() -> renewWaiting(renewing));
        }
    }

    /** Stands in line for the row lock, on another thread, so that the other leases are renewed on time. */
    private void renewWaiting(Renewing renewing) {
        try {
            while (!closed && !renewing.lease().standing().ended() && !renewedInLine(renewing)) {
                log.debug(
                        "lease {} is still locked by another transaction",
                        renewing.lease().name());
            }
        } catch (SQLException e) {
            failed(renewing, e);
        } finally {
            oneInDanger.release();
        }
    }

    /** False if the lock did not go in time: then it is asked for again at once, so that no taker comes between. */
    private boolean renewedInLine(Renewing renewing) throws SQLException {
        Reading sent = wiring.ticker().read();
        try {
            if (wiring.table().renewWaiting(wiring.later(), renewing.renewal(), wiring.bound())) {
                confirm(renewing, sent);
            }
            return true;
        } catch (SQLException e) {
            if (SqlState.LOCK_NOT_AVAILABLE.isIn(e)) {
                return false;
            }
            throw e;
        }
    }

    private void confirm(Renewing renewing, Reading sent) {
        boolean wasUnconfirmed = renewing.confirm(sent);
        if (wasUnconfirmed && !renewing.lease().standing().ended()) {
            log.info(
                    "lease {} is confirmed again: nobody had taken it over",
                    renewing.lease().name());
            wiring.listeners().tell(renewing.lease(), listener -> listener.reconfirmed(renewing.lease()));
        }
    }

    private void failed(Renewing renewing, SQLException e) {
        Reading now = wiring.ticker().read();
        renewing.tryAgain(now);
        Lease lease = renewing.lease();
        if (lease.standing().ended()) {
            return;
        }
        Duration left = lease.timeLeft();
        log.warn(
                "lease {} could not be renewed, {} ms before its own deadline: {}",
                lease.name(),
                left.toMillis(),
                e.toString());
        wiring.listeners().tell(lease, listener -> listener.renewalFailed(lease, left));
    }

    private void noteUnconfirmed(Renewing renewing, Reading now) {
        if (renewing.becomesUnconfirmed(now)) {
            Lease lease = renewing.lease();
            log.warn(
                    "lease {} of {} is unconfirmed: its own deadline has passed without a renewal",
                    lease.name(),
                    lease.holder());
            wiring.listeners().tell(lease, listener -> listener.unconfirmed(lease));
        }
    }

    private void lost(Renewing renewing) {
        Lease lease = renewing.lease();
        held.remove(lease.key());
        if (lease.move(Standing::lost)) {
            log.warn("lease {} of {} is lost: its row is gone, released or another's", lease.name(), lease.holder());
            wiring.listeners().tell(lease, listener -> listener.lost(lease));
        }
    }

    /** Ends the renewal; leases that are still held run out by themselves. */
    @Override
    public void close() {
        closed = true;
        wake.release();
        try {
            thread.join(wiring.bound().multipliedBy(3).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
