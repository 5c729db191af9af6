package dev.leasehold.shedlock;

import dev.leasehold.Lease;
import dev.leasehold.LeaseException;
import dev.leasehold.LeaseState;
import dev.leasehold.ReleaseOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lease as ShedLock sees it. An extension that came too late leaves it to be unlocked: ShedLock's executor unlocks at the
 * end whatever came before, and must not fail there.
 */
final class LeasedLock implements SimpleLock {

    private static final Logger log = LoggerFactory.getLogger(LeasedLock.class);

    private final Lease lease;
    private final boolean isLimited;
    private final Span span;
    /** Not before the database has counted it as acquired, so that a rest from here is never too short. */
    private final long acquiredNanos = System.nanoTime();

    private final AtomicBoolean isOver = new AtomicBoolean();

    LeasedLock(Lease lease, boolean isLimited, Span span) {
        this.lease = lease;
        this.isLimited = isLimited;
        this.span = span;
    }

    /**
     * Frees this lock, and nobody else's; if it was lost, a warning says so. Does not throw for a database that is away: then the
     * lock is freed in the background, or runs out.
     */
    @Override
    public void unlock() {
        end();
        boolean wasLost = lease.state() == LeaseState.LOST; // a loss that the release finds is told by the release
        Duration rest = span.atLeast().minusNanos(System.nanoTime() - acquiredNanos);
        ReleaseOutcome outcome = rest.compareTo(Duration.ZERO) > 0 ? lease.releaseToRest(rest) : lease.release();
        if (wasLost && outcome == ReleaseOutcome.LOST) {
            log.warn(
                    "lock {} of {} is unlocked after it was lost: that frees nothing, and another may have run meanwhile",
                    lease.name(),
                    lease.holder());
        }
    }

    /**
     * Both durations count from now.
     *
     * @return empty if the lock is not held any more
     * @throws LockException if the outcome is unknown, or the database is away: this lock stays to be unlocked or extended,
     *     and counts for its holder until the earlier of the two limits
     */
    @Override
    public Optional<SimpleLock> extend(Duration lockAtMostFor, Duration lockAtLeastFor) {
        checkNotOver();
        var next = new Span(new LockConfiguration(Instant.EPOCH, lease.name(), lockAtMostFor, lockAtLeastFor));
        if (!isExtended(next.atMost())) {
            return Optional.empty();
        }
        end();
        return Optional.of(new LeasedLock(lease, isLimited, next));
    }

    private boolean isExtended(Duration atMost) {
        try {
            return isLimited ? lease.extend(atMost) : lease.isHeld();
        } catch (LeaseException e) {
            throw new LockException("lock " + lease.name() + " could not be extended", e);
        }
    }

    private void end() {
        if (isOver.getAndSet(true)) {
            throw over();
        }
    }

    private void checkNotOver() {
        if (isOver.get()) {
            throw over();
        }
    }

    private IllegalStateException over() {
        return new IllegalStateException("lock " + lease.name() + " has been unlocked or extended before");
    }

    @Override
    public String toString() {
        return "LeasedLock[" + lease + "]";
    }
}
