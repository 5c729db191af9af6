package dev.leasehold;

import dev.leasehold.LeaseTable.Found;
import dev.leasehold.internal.SafeLog;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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

    private final Wiring wiring;
    private final Map<LeaseKey, Renewing> held = new ConcurrentHashMap<>();
    private final Semaphore wake = new Semaphore(0);
    private final InLine inLine;
    private final DeadlineWatch deadlines;
    private final Thread thread;
    private volatile boolean closed;

    Renewer(Wiring wiring) {
        this.wiring = wiring;
        this.inLine = new InLine(wiring, this);
        this.deadlines = new DeadlineWatch(wiring.ticker(), wiring.terms(), held.values(), this::unconfirmed);
        this.thread = DaemonThreads.named("leasehold-renewal").newThread(this::loop);
    }

    void start() {
        thread.start();
        deadlines.start();
    }

    void add(Lease lease, Reading sent) {
        held.put(lease.key(), new Renewing(lease, sent));
        wake.release();
        deadlines.expect(lease.standing().deadline());
    }

    /** Its own deadline may be earlier than it was. */
    void isLimited(Lease lease) {
        deadlines.expect(lease.standing().deadline());
    }

    /** What was known of it, if it was renewed here. */
    Optional<Renewing> remove(Lease lease) {
        Renewing removed = held.remove(lease.key());
        inLine.leave(lease.key());
        return Optional.ofNullable(removed);
    }

    /** Takes it up again, at once, with what was known of it. */
    void resume(Renewing renewing) {
        renewing.isDueAt(wiring.ticker().read());
        held.put(renewing.key(), renewing);
        wake.release();
        deadlines.expect(renewing.lease().standing().deadline());
    }

    /** Whether one of the leases that are renewed here has that holder. */
    boolean holds(String holder) {
        return held.keySet().stream().anyMatch(key -> key.holder().equals(holder));
    }

    boolean renews(LeaseKey key) {
        return !closed && held.containsKey(key);
    }

    List<Lease> held() {
        return held.values().stream().map(Renewing::lease).toList();
    }

    List<Lease> inDanger() {
        Reading now = wiring.ticker().read();
        return held.values().stream()
                .filter(renewing -> renewing.isInDanger(now))
                .map(Renewing::lease)
                .toList();
    }

    private void loop() {
        while (!closed) {
            Duration pause = PAUSE_AFTER_A_THROW;
            try {
                pass();
                pause = untilNextLook();
            } catch (Throwable thrown) {
                SafeLog.error(log, "a pass of the renewal threw; the next one follows", thrown);
            }
            pause(pause);
        }
    }

    private Duration untilNextLook() {
        Reading now = wiring.ticker().read();
        Duration pause = LONGEST_PAUSE;
        for (Renewing renewing : held.values()) {
            Duration next = renewing.nextIn(now);
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
        if (held.values().stream().anyMatch(renewing -> renewing.isDue(now))) {
            Map<Boolean, List<Renewing>> byPastLimit = held.values().stream()
                    .filter(renewing -> renewing.isNearlyDue(now))
                    .collect(Collectors.partitioningBy(
                            renewing -> renewing.lease().standing().isPastLimit(now)));
            List<Renewing> due = byPastLimit.getOrDefault(false, List.of());
            if (!due.isEmpty()) {
                renew(due);
            }
            List<Renewing> pastLimit = byPastLimit.getOrDefault(true, List.of());
            if (!pastLimit.isEmpty()) {
                look(pastLimit);
            }
        }
    }

    /** Those past their limit are only looked at: a renewal would change nothing, and a loss must still be told. */
    private void look(List<Renewing> pastLimit) {
        try {
            classify(pastLimit, wiring.bound());
        } catch (SQLException e) {
            Reading now = wiring.ticker().read();
            pastLimit.forEach(renewing -> renewing.isLookedAtAgain(now));
            log.debug("{} leases past their limits could not be looked at: {}", pastLimit.size(), e.getMessage());
        }
    }

    private void renew(List<Renewing> due) {
        Map<LeaseKey, Limit> limits = limits(due);
        Reading sent = wiring.ticker().read();
        Duration bound = wiring.bound();
        List<Renewing> unanswered = due;
        try {
            Set<LeaseKey> renewed = wiring.table().renew(wiring.renewal(), ttls(due), limits, bound);
            wiring.metrics().renewed(renewed.size(), since(sent));
            inLine.goOn();
            due.stream().filter(r -> renewed.contains(r.key())).forEach(r -> confirm(r, sent, limits.get(r.key())));
            unanswered = due.stream().filter(r -> !renewed.contains(r.key())).toList();
            if (!unanswered.isEmpty()) {
                classify(unanswered, bound);
            }
        } catch (SQLException e) {
            if (e instanceof UnknownOutcomeException unknown && !unknown.sent()) {
                inLine.makeWay(); // the connection may be the one that is missing here
            }
            if (unanswered == due) {
                wiring.metrics().renewalFailed(due.size(), since(sent));
            }
            failed(unanswered, e);
        }
    }

    private static Map<LeaseKey, Duration> ttls(List<Renewing> due) {
        var ttls = new LinkedHashMap<LeaseKey, Duration>();
        due.forEach(
                renewing -> ttls.put(renewing.key(), renewing.lease().terms().ttl()));
        return ttls;
    }

    private static Map<LeaseKey, Limit> limits(List<Renewing> due) {
        var limits = new HashMap<LeaseKey, Limit>();
        due.forEach(renewing -> renewing.limit().ifPresent(limit -> limits.put(renewing.key(), limit)));
        return limits;
    }

    private Duration since(Reading sent) {
        return Duration.ofNanos(wiring.ticker().read().monotonicNanos() - sent.monotonicNanos());
    }

    /** What was not renewed is ours but locked, or lost. */
    private void classify(List<Renewing> missing, Duration bound) throws SQLException {
        Map<LeaseKey, Found> found = wiring.table()
                .find(wiring.renewal(), missing.stream().map(Renewing::key).toList(), bound);
        for (Renewing renewing : missing) {
            switch (found.getOrDefault(renewing.key(), Found.DELETED)) {
                case UNRELEASED -> later(renewing);
                case RELEASED -> lost(renewing, LossReason.RELEASED_BY_OTHERS);
                case ANOTHERS -> lost(renewing, LossReason.TAKEN_OVER);
                case DELETED -> lost(renewing, LossReason.DELETED);
            }
        }
    }

    private void later(Renewing renewing) {
        Reading now = wiring.ticker().read();
        if (renewing.lease().standing().isPastLimit(now)) {
            renewing.isLookedAtAgain(now);
            return;
        }
        log.debug(
                "lease {} is locked by another transaction: it is renewed later",
                renewing.lease().name());
        renewing.tryAgain(now);
        if (renewing.isInDanger(now)) {
            inLine.join(renewing);
        }
    }

    void confirm(Renewing renewing, Reading sent, @Nullable Limit limit) {
        Lease lease = renewing.lease();
        // The listeners are told under this monitor, which only queues the event, so that the order is true.
        synchronized (renewing) {
            var confirmation = renewing.confirm(sent, limit, wiring.ticker().read());
            if (lease.standing().ended()) {
                return;
            }
            confirmation.late().ifPresent(late -> {
                log.debug("lease {} was renewed {} ms later than planned", lease.name(), late.toMillis());
                wiring.listeners().tell(lease, listener -> listener.renewedLate(lease, late));
            });
            if (confirmation.isReconfirmed()) {
                log.info("lease {} is confirmed again: nobody had taken it over", lease.name());
                wiring.listeners().tell(lease, listener -> listener.reconfirmed(lease));
            }
        }
    }

    /** One line for all of them, in which the first that will be unconfirmed is named. */
    void failed(List<Renewing> failed, SQLException e) {
        Reading now = wiring.ticker().read();
        List<Failed> byTimeLeft = new ArrayList<>();
        for (Renewing renewing : failed) {
            renewing.tryAgain(now);
            Standing standing = renewing.lease().standing();
            if (!standing.ended()) {
                byTimeLeft.add(new Failed(renewing.lease(), standing.deadline().timeLeft(now)));
            }
        }
        byTimeLeft.sort(Comparator.comparing(Failed::left));
        if (!byTimeLeft.isEmpty()) {
            Failed first = byTimeLeft.get(0);
            log.warn(
                    "lease {}{} could not be renewed, {}: {}",
                    first.lease().name(),
                    byTimeLeft.size() > 1 ? " and " + (byTimeLeft.size() - 1) + " more" : "",
                    beforeOrPast(first.left()),
                    e + Hint.of(e));
        }
        byTimeLeft.forEach(one ->
                wiring.listeners().tell(one.lease(), listener -> listener.renewalFailed(one.lease(), one.left())));
    }

    /** One that could not be renewed. The time that was left is read once: while they are sorted clocks go on and deadlines move. */
    private record Failed(Lease lease, Duration left) {}

    private static String beforeOrPast(Duration left) {
        return left.isNegative()
                ? left.abs().toMillis() + " ms past its own deadline"
                : left.toMillis() + " ms before its own deadline";
    }

    private void unconfirmed(Renewing renewing) {
        Lease lease = renewing.lease();
        synchronized (renewing) {
            if (!renewing.becomesUnconfirmed(wiring.ticker().read())) {
                return;
            }
            log.warn(
                    "lease {} of {} is unconfirmed: {}",
                    lease.name(),
                    lease.holder(),
                    lease.isPastLimit()
                            ? "its limit has passed, and it was not released"
                            : "its own deadline has passed without a renewal");
            wiring.listeners().tell(lease, listener -> listener.unconfirmed(lease));
        }
        lease.trustHasEnded();
        wake.release();
    }

    private void lost(Renewing renewing, LossReason reason) {
        Lease lease = renewing.lease();
        if (held.remove(lease.key()) == null) {
            return; // it has left the renewal meanwhile, because it is released or finished
        }
        synchronized (renewing) {
            if (!lease.move(Standing::lost)) {
                return;
            }
            log.warn("lease {} of {} is lost: {}", lease.name(), lease.holder(), reason);
            wiring.metrics().lost(lease.name(), reason);
            wiring.listeners().tell(lease, listener -> listener.lost(lease, reason));
        }
        lease.trustHasEnded();
    }

    /** Ends the renewal; leases that are still held run out by themselves. */
    @Override
    public void close() {
        closed = true;
        wake.release();
        deadlines.close();
        inLine.close();
        try {
            thread.join(wiring.bound().multipliedBy(3).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
