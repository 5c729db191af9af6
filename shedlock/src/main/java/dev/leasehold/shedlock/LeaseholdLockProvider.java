package dev.leasehold.shedlock;

import dev.leasehold.Lease;
import dev.leasehold.LeaseException;
import dev.leasehold.LeaseRequest;
import dev.leasehold.Leases;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;

/**
 * Gives ShedLock's locks as leases. The package page says what becomes of {@code lockAtMostFor} and {@code lockAtLeastFor}.
 *
 * <p>Holds nothing but the {@link Leases}, which whoever has built them closes, after the last unlock. Thread-safe, and so
 * are its locks.
 *
 * @see <a href="https://github.com/lukas-krecan/ShedLock">ShedLock</a>
 */
public final class LeaseholdLockProvider implements ExtensibleLockProvider {

    private final Leases leases;
    private final boolean isLimited;

    private LeaseholdLockProvider(Leases leases, boolean isLimited) {
        this.leases = Objects.requireNonNull(leases, "leases");
        this.isLimited = isLimited;
    }

    /** Locks that are free once {@code lockAtMostFor} has passed, as ShedLock has it. */
    public static LeaseholdLockProvider on(Leases leases) {
        return new LeaseholdLockProvider(leases, true);
    }

    /**
     * Locks that are renewed until they are unlocked, however long the work takes, in place of a {@code
     * KeepAliveLockProvider}: {@code lockAtMostFor} counts for nothing, and the lock of a process that died is free after the
     * leases' ttl.
     */
    public LeaseholdLockProvider renewedUntilUnlock() {
        return new LeaseholdLockProvider(leases, false);
    }

    /**
     * Acquires the lease of the lock's name, if it is free.
     *
     * @return empty if another has it, or it rests
     * @throws LockException if the database is away, answers with an error, or does not answer in time: it is not locked. The
     *     cause says which
     * @throws IllegalArgumentException for a name of more than 512 characters or with U+0000 or lone surrogates, and for a
     *     {@code lockAtLeastFor} of more than 366 days
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        var span = new Span(configuration);
        try {
            return acquire(configuration.getName(), span).map(lease -> new LeasedLock(lease, isLimited, span));
        } catch (LeaseException e) {
            throw new LockException("lock " + configuration.getName() + " could not be asked for", e);
        }
    }

    private Optional<Lease> acquire(String name, Span span) {
        LeaseRequest request = LeaseRequest.named(name);
        return leases.tryAcquire(isLimited ? request.limit(span.atMost()) : request)
                .lease();
    }

    @Override
    public String toString() {
        return "LeaseholdLockProvider[" + (isLimited ? "until lockAtMostFor" : "until unlock") + "]";
    }
}
