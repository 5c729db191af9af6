package dev.leasehold.spring.integration;

import dev.leasehold.Lease;
import dev.leasehold.LeaseState;
import dev.leasehold.LossPolicy;
import dev.leasehold.ReleaseOutcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the leases under the locks of one registry: interrupts the owner whose lease is not held any more, and
 * releases. Owns a thread that looks at the clock and never waits, and threads that release. Thread-safe.
 */
final class HoldWatch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(HoldWatch.class);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);
    private static final Duration TIME_TO_UNLOCK = Duration.ofSeconds(1);

    private final LossPolicy onLoss;
    private final ScheduledThreadPoolExecutor clock =
            new ScheduledThreadPoolExecutor(1, daemons("leasehold-lock-watch"));
    private final ExecutorService releasers = Executors.newCachedThreadPool(daemons("leasehold-lock-release"));
    private int holds;
    private boolean closed;

    HoldWatch(LossPolicy onLoss) {
        this.onLoss = onLoss;
        clock.setRemoveOnCancelPolicy(true);
    }

    private static ThreadFactory daemons(String name) {
        return work -> {
            var thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * For the thread that has acquired the lease.
     *
     * @throws IllegalStateException if the registry is closed: the lease is released
     */
    Hold begin(Lease lease) {
        synchronized (this) {
            if (!closed) {
                holds++;
                var hold = new Hold(lease);
                if (onLoss == LossPolicy.INTERRUPT) {
                    look(hold);
                }
                return hold;
            }
        }
        lease.release();
        throw new IllegalStateException("the lock " + lease.name() + " cannot be locked: its registry is closed");
    }

    private void look(Hold hold) {
        Lease lease = hold.lease();
        if (hold.hasEnded()) {
            return;
        }
        if (lease.isHeld()) {
            in(lease.timeLeft(), () -> look(hold));
        } else {
            hold.interruptOwner();
        }
    }

    /**
     * For the owner: the lease is released. Waits for that no longer than the lease is trusted, for once the trust has ended,
     * the caller must learn it at once.
     *
     * @return empty if the trust in the lease has ended before: others may hold it. Pending if the answer came too late
     */
    Optional<ReleaseOutcome> end(Hold hold) {
        hold.end();
        try {
            Lease lease = hold.lease();
            Duration trust = lease.timeLeft();
            if (!lease.isHeld()) {
                releaseIfHeldAgain(lease);
                return Optional.empty();
            }
            return Optional.of(await(release(lease), trust));
        } finally {
            ended();
        }
    }

    private synchronized void ended() {
        holds--;
        notifyAll();
    }

    private Future<ReleaseOutcome> release(Lease lease) {
        var release = new FutureTask<>(lease::release);
        try {
            releasers.execute(release);
        } catch (RejectedExecutionException e) {
            release.run(); // the registry is closed
        }
        return release;
    }

    private static ReleaseOutcome await(Future<ReleaseOutcome> release, Duration limit) {
        boolean interrupted = false;
        long start = System.nanoTime();
        try {
            while (true) {
                try {
                    long left = limit.toNanos() - (System.nanoTime() - start);
                    return release.get(left, TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    return ReleaseOutcome.PENDING;
                } catch (ExecutionException e) {
                    throw new IllegalStateException("the release of a lock threw", e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * A lease that is unconfirmed runs out by itself, unless a renewal still finds it. Released at once, it would be free
     * before the one who has just unlocked could stop what it does.
     */
    private void releaseIfHeldAgain(Lease lease) {
        in(LONGEST_PAUSE, () -> {
            if (lease.isHeld()) {
                releasers.execute(lease::release);
            } else if (lease.state() == LeaseState.UNCONFIRMED) {
                releaseIfHeldAgain(lease);
            }
        });
    }

    private void in(Duration pause, Runnable look) {
        Duration longest = pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
        Duration next = longest.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : longest;
        try {
            var unused = clock.schedule(look, next.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("the registry is closed: its locks are not watched any more");
        }
    }

    /** Gives those who were told to stop a moment to unlock, so that their leases are free, and ends the watch. */
    @Override
    public void close() {
        boolean interrupted = false;
        synchronized (this) {
            closed = true;
            long end = System.nanoTime() + TIME_TO_UNLOCK.toNanos();
            for (long left = TIME_TO_UNLOCK.toNanos(); holds > 0 && left > 0; left = end - System.nanoTime()) {
                try {
                    TimeUnit.NANOSECONDS.timedWait(this, left);
                } catch (InterruptedException e) {
                    interrupted = true;
                    break;
                }
            }
        }
        clock.shutdownNow();
        releasers.shutdown();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
