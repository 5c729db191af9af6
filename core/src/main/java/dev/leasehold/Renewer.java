package dev.leasehold;

import dev.leasehold.LeaseTable.Found;
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
    private static final Duration PAUSE_AFTER_A_THROW = Duration.ofMillis(100);
    private static final Duration SHORTEST_BOUND = Duration.ofMillis(100);

    private final Wiring wiring;
    private final Map<LeaseKey, Renewing> held = new ConcurrentHashMap<>();
    private final Semaphore wake = new Semaphore(0);
    private final InLine inLine;
    private final Thread thread;
    private volatile boolean closed;

    Renewer(Wiring wiring) {
        this.wiring = wiring;
        this.inLine = new InLine(wiring, this);
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

    /** Whether one of the leases that are renewed here has that holder. */
    boolean holds(String holder) {
        return held.keySet().stream().anyMatch(key -> key.holder().equals(holder));
    }

    boolean isClosed() {
        return closed;
    }

    List<Lease> held() {
        return held.values().stream().map(Renewing::lease).toList();
    }

    private void loop() {
        while (!closed) {
            Duration pause = PAUSE_AFTER_A_THROW;
            try {
                pass();
                pause = untilNextLook();
            } catch (Throwable thrown) {
                log.error("a pass of the renewal threw; the next one follows", thrown);
            }
            pause(pause);
        }
    }

    private Duration untilNextLook() {
        Reading now = wiring.ticker().read();
        Duration pause = LONGEST_PAUSE;
        for (Renewing renewing : held.values()) {
            Duration next = renewing.nextLookIn(now);
            pause = next.compareTo(pause) < 0 ? next : pause;
        }
        return pause;
    }

    private void pause(Duration pause) {
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
        held.values().removeIf(renewing -> renewing.lease().standing().ended());
        held.values().forEach(renewing -> noteUnconfirmed(renewing, now));
        if (held.values().stream().anyMatch(renewing -> renewing.isDue(now))) {
            renew(held.values().stream()
                    .filter(renewing -> renewing.isNearlyDue(now))
                    .toList());
        }
    }

    private void renew(List<Renewing> due) {
        Reading sent = wiring.ticker().read();
        Duration bound = boundBefore(due, sent);
        List<Renewing> unanswered = due;
        try {
            Set<LeaseKey> renewed = wiring.table()
                    .renew(wiring.renewal(), due.stream().map(Renewing::renewal).toList(), bound);
            due.stream().filter(r -> renewed.contains(r.key())).forEach(r -> confirm(r, sent));
            unanswered = due.stream().filter(r -> !renewed.contains(r.key())).toList();
            if (!unanswered.isEmpty()) {
                classify(unanswered, bound);
            }
        } catch (SQLException e) {
            unanswered.forEach(renewing -> failed(renewing, e));
        }
    }

    /** No wait goes on past the next own deadline, so that who becomes unconfirmed is told in time. */
    private Duration boundBefore(List<Renewing> due, Reading now) {
        Duration bound = wiring.bound();
        for (Renewing renewing : due) {
            Duration left = renewing.lease().standing().deadline().timeLeft(now);
            if (left.compareTo(SHORTEST_BOUND) > 0 && left.compareTo(bound) < 0) {
                bound = left;
            }
        }
        return bound;
    }

    /** What was not renewed is ours but locked, or lost. */
    private void classify(List<Renewing> missing, Duration bound) throws SQLException {
        Map<LeaseKey, Found> found = wiring.table()
                .find(wiring.renewal(), missing.stream().map(Renewing::key).toList(), bound);
        for (Renewing renewing : missing) {
            if (found.get(renewing.key()) == Found.UNRELEASED) {
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
        if (renewing.isInDanger(now)) {
            inLine.join(renewing);
        }
    }

    void confirm(Renewing renewing, Reading sent) {
        boolean wasUnconfirmed = renewing.confirm(sent);
        if (wasUnconfirmed && !renewing.lease().standing().ended()) {
            log.info(
                    "lease {} is confirmed again: nobody had taken it over",
                    renewing.lease().name());
            wiring.listeners().tell(renewing.lease(), listener -> listener.reconfirmed(renewing.lease()));
        }
    }

    void failed(Renewing renewing, SQLException e) {
        Reading now = wiring.ticker().read();
        renewing.tryAgain(now);
        Lease lease = renewing.lease();
        if (lease.standing().ended()) {
            return;
        }
        Duration left = lease.timeLeft();
        log.warn("lease {} could not be renewed, {}: {}", lease.name(), beforeOrPast(left), e + Hint.of(e));
        wiring.listeners().tell(lease, listener -> listener.renewalFailed(lease, left));
    }

    private static String beforeOrPast(Duration left) {
        return left.isNegative()
                ? left.abs().toMillis() + " ms past its own deadline"
                : left.toMillis() + " ms before its own deadline";
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
