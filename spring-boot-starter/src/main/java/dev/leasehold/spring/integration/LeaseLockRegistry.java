package dev.leasehold.spring.integration;

import dev.leasehold.LeaseName;
import dev.leasehold.Leases;
import dev.leasehold.LossPolicy;
import java.time.Duration;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * Locks on leases: each has one owner, a thread, in the whole cluster, and holding it costs no connection.
 *
 * <p>A lock is reentrant, and can be unlocked by its owner only ({@link IllegalMonitorStateException} for others). It is kept
 * by the renewal of the leases until its last unlock, however long that takes; when the process dies, it is free once the
 * lease has run out. Waiting for a lock holds no connection, and hears of an unlock in this process at once, of one elsewhere
 * within a second. Nothing is kept in memory of a lock that no thread holds or waits for. There are no conditions.
 *
 * <p>A lease can be lost, as its package page tells: the database was away for too long, or somebody has deleted the row. From
 * the own deadline on, which comes before others can lock, the owner is interrupted ({@link LossPolicy#INTERRUPT}), another
 * lock or try by it throws {@link dev.leasehold.LeaseLostException}, and its last unlock throws {@link
 * java.util.ConcurrentModificationException}; the thread's lock is free then all the same, and nobody else's is touched. An unlock
 * waits for the database no longer than the lease is trusted; what is not answered by then goes on in the background.
 *
 * <p>A first lock or try throws {@link dev.leasehold.LeaseException} where the outcome is unknown or an error, as {@link
 * Leases#tryAcquire(String, Duration)}: then it is not locked. {@code lock()} goes on trying while the database is away.
 *
 * <p>Thread-safe.
 *
 * @see <a href="https://docs.spring.io/spring-integration/reference/distributed-locks.html">Spring Integration, distributed locks</a>
 */
public final class LeaseLockRegistry
        implements ExpirableLockRegistry<DistributedLock>, RenewableLockRegistry<DistributedLock>, AutoCloseable {

    /** What the names of the leases begin with, unless told otherwise: keys often come out of messages. */
    public static final String DEFAULT_PREFIX = "lock:";

    private static final Duration SHORTEST_AGE = Duration.ofMinutes(1);
    private static final Duration LONGEST_AGE = Duration.ofDays(36_500);

    private final Leases leases;
    private final String prefix;
    private final LocalLocks locals = new LocalLocks();
    private final HoldWatch watch;

    /** With {@link #DEFAULT_PREFIX} and {@link LossPolicy#INTERRUPT}. */
    public LeaseLockRegistry(Leases leases) {
        this(leases, DEFAULT_PREFIX, LossPolicy.INTERRUPT);
    }

    /**
     * As described.
     *
     * @param leases not closed by the registry
     * @param prefix what the names of the leases begin with; may be empty: then locks exclude leases and rounds of their name
     * @param onLoss what happens to the owner when its lease is lost, or not confirmed in time
     * @throws IllegalArgumentException for a prefix that no name of a lease can begin with
     */
    public LeaseLockRegistry(Leases leases, String prefix, LossPolicy onLoss) {
        String unused = LeaseName.check(prefix + "x");
        this.leases = leases;
        this.prefix = prefix;
        this.watch = new HoldWatch(onLoss);
    }

    /**
     * The lock of that key, on the lease of the name prefix and key. No I/O. Two of one key are the same lock.
     *
     * @param lockKey a String; with the prefix 1 to 512 characters, without U+0000 and lone surrogates
     * @throws IllegalArgumentException for another key: an object has no name that all processes agree on
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return lock(lockKey);
    }

    private LeaseLock lock(Object lockKey) {
        if (!(lockKey instanceof String key)) {
            throw new IllegalArgumentException(
                    "the key of a lock is a " + lockKey.getClass().getName() + ", but must be a String: " + lockKey);
        }
        return new LeaseLock(LeaseName.check(prefix + key), leases, locals, watch);
    }

    /**
     * Makes sure that the lock is held. The leases renew it by themselves, so nothing is sent.
     *
     * @throws IllegalStateException if its lease is lost or unconfirmed
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     * @throws IllegalArgumentException as {@link #obtain}
     */
    @Override
    public void renewLock(Object lockKey) {
        if (!lock(lockKey).isConfirmed()) {
            throw new IllegalStateException(
                    "lock " + lockKey + " could not be renewed: its lease is lost or unconfirmed");
        }
    }

    /**
     * As {@link #renewLock(Object)}: a held lock lives on until its unlock, and in a process that dies as long as its lease.
     *
     * @param ttl more than zero; changes nothing. The same goes for the time-to-live of a {@link DistributedLock}
     * @throws IllegalArgumentException also for another ttl
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        LeaseLock.checkTtl(ttl);
        renewLock(lockKey);
    }

    /**
     * Deletes what unused locks leave behind, rows of the lease table: those of <em>all</em> names, as {@link
     * Leases#cleanUp(Duration)}. Never a lock that is held, or waited for.
     *
     * @param age in milliseconds; less than a minute is taken as a minute
     * @throws dev.leasehold.LeaseException as {@link Leases#cleanUp(Duration)}
     */
    @Override
    public void expireUnusedOlderThan(long age) {
        Duration asked = Duration.ofMillis(age);
        Duration atLeast = asked.compareTo(SHORTEST_AGE) < 0 ? SHORTEST_AGE : asked;
        long unused = leases.cleanUp(atLeast.compareTo(LONGEST_AGE) > 0 ? LONGEST_AGE : atLeast);
    }

    /** How many locks are in memory. */
    int inUse() {
        return locals.size();
    }

    /**
     * Ends the watch over the locks, before the leases are closed. Owners that were told to stop have a second to unlock; none
     * is interrupted. Nothing can be locked from then on.
     */
    @Override
    public void close() {
        watch.close();
    }
}
