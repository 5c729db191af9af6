package dev.leasehold;

import dev.leasehold.internal.SafeLog;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether the lease of a {@link Holding} is free while this instance does not have it. Owns one thread, whose loop no
 * Throwable ends. Thread-safe.
 */
final class HoldingLoop {

    private static final Logger log = LoggerFactory.getLogger(Holding.class);
    private static final Duration SLACK = Duration.ofSeconds(1);

    /** Asks for the lease once; what is to be done with a gained one is done before anybody is told of it. */
    @FunctionalInterface
    interface Asking {
        Acquisition ask(Consumer<Lease> whenGained);
    }

    private final HoldingBuilder described;
    private final Asking asking;
    private final Duration bound;
    private final Consumer<HoldingLoop> whenEnded;
    private final Listeners listeners;
    private final Patience patience;
    private final Semaphore wake = new Semaphore(0);
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable Lease lease;

    // Guarded by this.
    private boolean isEnding;
    private boolean isLooking;
    private boolean mustRest;

    // Of the loop's own thread.
    private long restUntilNanos = System.nanoTime();
    private @Nullable Lease releasing;
    private long settledByNanos;
    private boolean hasFailed;

    HoldingLoop(HoldingBuilder described, Asking asking, Duration bound, Consumer<HoldingLoop> whenEnded) {
        this.described = described;
        this.asking = asking;
        this.bound = bound;
        this.whenEnded = whenEnded;
        this.listeners = new Listeners(described.listeners().stream()
                .<LeaseListener>map(OneLeaseAtATime::new)
                .toList());
        this.patience = new Patience(described.lookEvery());
        this.thread = DaemonThreads.named("leasehold-holding-" + name()).newThread(this::loop);
    }

    void start() {
        thread.start();
    }

    String name() {
        return described.name();
    }

    Optional<Lease> lease() {
        return Optional.ofNullable(lease);
    }

    void resign() {
        synchronized (this) {
            mustRest = true;
        }
        lease().ifPresent(Lease::release);
        wake.release();
    }

    /** Begins the end, and waits for nothing. */
    void end() {
        synchronized (this) {
            isEnding = true;
            if (isLooking) {
                thread.interrupt();
            }
        }
        wake.release();
    }

    /** Within the bounds of a release and of a listener. A listener that calls this is not waited for. */
    void awaitEnd() {
        CountDownLatch end = listeners.isTelling() ? released : ended;
        long limit = System.nanoTime() + bound.multipliedBy(3).plus(SLACK).toNanos();
        boolean interrupted = false;
        boolean again = true;
        while (again) {
            try {
                again = false;
                if (!end.await(limit - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    log.warn("the holding of lease {} has not ended in time, and ends in the background", name());
                }
            } catch (InterruptedException e) {
                interrupted = true;
                again = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void loop() {
        while (!isEnding()) {
            Duration pause;
            try {
                pause = pass();
            } catch (Throwable thrown) {
                SafeLog.error(log, "a look at lease " + name() + " threw; the next one follows", thrown);
                pause = patience.afterNothing();
            }
            pause(pause);
        }
        try {
            lease().ifPresent(this::giveBackAtTheEnd);
        } catch (Throwable thrown) {
            SafeLog.error(
                    log, "lease " + name() + " could not be released at the end of its holding: it runs out", thrown);
        } finally {
            released.countDown();
            listeners.close(bound);
            whenEnded.accept(this);
            ended.countDown();
        }
    }

    private void giveBackAtTheEnd(Lease last) {
        last.release();
        listeners.tell(last, OneLeaseAtATime::end);
    }

    private synchronized boolean isEnding() {
        return isEnding;
    }

    private void pause(Duration pause) {
        try {
            if (wake.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                wake.drainPermits();
            }
        } catch (InterruptedException e) {
            log.debug("the holding of lease {} was interrupted; only closing ends it", name());
        }
    }

    /** Returns the pause until the next one; what happens to the lease wakes it before. */
    private Duration pass() {
        Lease last = lease;
        if (last != null && !isOver(last)) {
            return described.lookEvery();
        }
        lease = null;
        long now = System.nanoTime();
        synchronized (this) {
            if (isEnding) {
                return Duration.ZERO;
            }
            if (mustRest) {
                mustRest = false;
                restUntilNanos = now + rest().toNanos();
            }
            if (restUntilNanos - now > 0) {
                return Duration.ofNanos(restUntilNanos - now);
            }
            isLooking = true;
        }
        try {
            return look();
        } finally {
            synchronized (this) {
                isLooking = false;
                Thread.interrupted(); // the end of the leases was meant, and is looked at next
            }
        }
    }

    /**
     * Whether what became of it is known, so that another can be gained: a release may go on in the background, as long as
     * it is tried there.
     */
    private boolean isOver(Lease last) {
        LeaseState state = last.state();
        if (state != LeaseState.RELEASED) {
            return state == LeaseState.LOST;
        }
        if (!last.equals(releasing)) {
            releasing = last;
            settledByNanos =
                    System.nanoTime() + Releaser.limit(last.terms()).plus(bound).toNanos();
        }
        synchronized (this) {
            mustRest = true;
        }
        return last.outcome() != ReleaseOutcome.PENDING || settledByNanos - System.nanoTime() <= 0;
    }

    /** Longer than the others pause, so that each of them looks before. */
    private Duration rest() {
        Duration lookEvery = described.lookEvery();
        return lookEvery.plus(Patience.jittered(lookEvery.dividedBy(2)));
    }

    private Duration look() {
        Acquisition answer;
        try {
            answer = asking.ask(this::gained);
        } catch (LeaseException e) {
            return failed(e);
        } catch (Throwable thrown) {
            // Nobody renews what was only half gained.
            lease().ifPresent(Lease::release);
            throw thrown;
        }
        if (hasFailed) {
            hasFailed = false;
            log.info("lease {} can be looked at again", name());
        }
        answer.lease().ifPresent(this::hold);
        return answer.lease().isPresent() ? described.lookEvery() : patience.after(answer);
    }

    private Duration failed(LeaseException e) {
        Duration pause = patience.afterNothing();
        if (hasFailed || isEnding()) {
            log.debug("lease {} could not be looked at again", name(), e);
        } else {
            hasFailed = true;
            log.warn("lease {} could not be looked at, and is looked at until it can: {}", name(), e.getMessage());
        }
        return pause;
    }

    /** Before the listeners are told, so that what they ask is true. */
    private void gained(Lease gained) {
        gained.tellAlso(listeners);
        synchronized (this) {
            if (!isEnding && !mustRest) {
                lease = gained;
            }
        }
    }

    private void hold(Lease gained) {
        if (gained.equals(lease)) {
            log.info("lease {} is held on to by {} (fence {})", name(), gained.holder(), gained.fence());
            gained.whenTrustEnds(wake::release);
        } else {
            // It has resigned or ended meanwhile.
            gained.release();
            lease = gained;
        }
    }
}
