package dev.leasehold.spring.integration;

import dev.leasehold.Lease;
import dev.leasehold.LeaseState;
import dev.leasehold.Leases;
import dev.leasehold.ReleaseOutcome;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.integration.support.locks.DistributedLock;

/** A lock of a {@link LeaseLockRegistry}, which describes it: a handle, the state is in the {@link LocalLocks}. Thread-safe. */
final class LeaseLock implements DistributedLock {

    private final String name;
    private final Leases leases;
    private final LocalLocks locals;
    private final HoldWatch watch;

    LeaseLock(String name, Leases leases, LocalLocks locals, HoldWatch watch) {
        this.name = name;
        this.leases = leases;
        this.locals = locals;
        this.watch = watch;
    }

    @Override
    public void lock() {
        boolean interrupted = false;
        try {
            for (boolean locked = false; !locked; ) {
                try {
                    locked = tryLockWithin(Long.MAX_VALUE);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void lock(Duration ttl) {
        checkTtl(ttl);
        lock();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        for (boolean locked = false; !locked; ) {
            locked = tryLockWithin(Long.MAX_VALUE);
        }
    }

    @Override
    public boolean tryLock() {
        try {
            return tryLockWithin(0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLockWithin(unit.toNanos(time));
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        checkTtl(ttl);
        return tryLockWithin(TimeUnit.NANOSECONDS.convert(waitTime));
    }

    static void checkTtl(Duration ttl) {
        if (ttl.isNegative() || ttl.isZero()) {
            throw new IllegalArgumentException("ttl is " + ttl + ", but must be more than zero");
        }
    }

    private boolean tryLockWithin(long nanos) throws InterruptedException {
        long start = System.nanoTime();
        LocalLock local = locals.join(name);
        boolean hasMutex = false;
        boolean locked = false;
        try {
            hasMutex = local.mutex().isHeldByCurrentThread()
                    ? isLockedAgain(local)
                    : local.mutex().tryLock(nanos, TimeUnit.NANOSECONDS);
            if (hasMutex) {
                long left = Math.max(0, nanos - (System.nanoTime() - start));
                locked = local.hold().isPresent() || isAcquired(local, left);
            }
            return locked;
        } finally {
            if (!locked) {
                leave(local.mutex(), hasMutex);
            }
        }
    }

    /**
     * By the owner: who asks this way whether it still owns the lock must not hear that it does. The interrupt that tells of a
     * loss comes after the loss, so whoever has met the interrupt hears of the loss.
     */
    private static boolean isLockedAgain(LocalLock local) throws InterruptedException {
        boolean isInterrupted = Thread.currentThread().isInterrupted();
        local.hold().ifPresent(hold -> hold.lease().checkHeld());
        if (isInterrupted && Thread.interrupted()) {
            throw new InterruptedException();
        }
        return local.mutex().tryLock();
    }

    private boolean isAcquired(LocalLock local, long waitNanos) throws InterruptedException {
        Optional<Lease> acquired =
                leases.tryAcquire(name, Duration.ofNanos(waitNanos)).lease();
        acquired.ifPresent(lease -> local.hold(watch.begin(lease)));
        return acquired.isPresent();
    }

    @Override
    public void unlock() {
        LocalLock local = owned();
        ReentrantLock mutex = local.mutex();
        Optional<Hold> ending = mutex.getHoldCount() > 1 ? Optional.empty() : local.hold();
        try {
            ending.ifPresent(this::end);
        } finally {
            if (ending.isPresent()) {
                local.hold(null);
            }
            leave(mutex, true);
        }
    }

    private void end(Hold hold) {
        Optional<ReleaseOutcome> outcome = watch.end(hold);
        if (outcome.isEmpty() || outcome.get() == ReleaseOutcome.LOST) {
            Lease lease = hold.lease();
            throw new ConcurrentModificationException("lock " + name + " was not held to its end: its lease (holder "
                    + lease.holder() + ", fence " + lease.fence() + ") is "
                    + (outcome.isEmpty() ? lease.state() : LeaseState.LOST) + ", others may have locked it meanwhile");
        }
    }

    private void leave(ReentrantLock mutex, boolean hasMutex) {
        if (hasMutex) {
            mutex.unlock();
        }
        locals.leave(name);
    }

    /** Whether the lease under this thread's hold is trusted; the renewal of the leases sees to it. */
    boolean isConfirmed() {
        return owned().hold().map(hold -> hold.lease().isHeld()).orElse(false);
    }

    private LocalLock owned() {
        return locals.ownedHere(name)
                .orElseThrow(() -> new IllegalMonitorStateException("this thread does not hold lock " + name));
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a lock on a lease has no conditions");
    }

    @Override
    public String toString() {
        return "LeaseLock[" + name + "]";
    }
}
