package dev.leasehold.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leases;
import dev.leasehold.LossPolicy;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the owner of a lock hears when its lease is lost, or cannot be confirmed because the pool is empty. */
@SuppressWarnings("LockNotBeforeTry") // a test looks between the two
class LostLockTest {

    private static final Duration TTL = Duration.ofSeconds(3);

    private static final TestDatabase DATABASE = TestPostgres.freshDatabase();
    private final HikariDataSource pool = pool();
    private final Leases leases =
            Leases.on(pool).ttl(TTL).margin(Duration.ofSeconds(1)).build();
    private final LeaseLockRegistry registry = new LeaseLockRegistry(leases);
    private final Lock lock = registry.obtain("feed");

    private HikariDataSource pool() {
        var one = new HikariDataSource();
        one.setJdbcUrl(DATABASE.jdbcUrl());
        one.setMaximumPoolSize(1);
        return one;
    }

    @AfterEach
    void close() throws SQLException {
        registry.close();
        leases.close();
        pool.close();
        DATABASE.execute("drop table leases");
        assertThat(Thread.interrupted()).isFalse();
    }

    /** How long it took. */
    private static Duration untilInterrupted() {
        long start = System.nanoTime();
        assertThatThrownBy(() -> new CountDownLatch(1).await(20, TimeUnit.SECONDS))
                .isInstanceOf(InterruptedException.class);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void theOwnerOfADeletedLeaseIsInterruptedAndNothingTellsItThatItStillOwnsTheLock() throws Exception {
        lock.lock();
        lock.lock();
        DATABASE.execute("delete from leases");
        untilInterrupted();
        assertThatThrownBy(lock::tryLock).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS)).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lock::lock).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> registry.renewLock("feed"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("lock feed could not be renewed");
        lock.unlock();
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(ConcurrentModificationException.class)
                .hasMessageContaining("is LOST, others may have locked it meanwhile");
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    void anUnlockNeverFreesTheLockOfAnother() throws Exception {
        lock.lock();
        DATABASE.execute("update leases set holder = 'another', fence = fence + 1");
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
        assertThat(DATABASE.queryForLong("select count(*) from leases where holder = 'another' and expires_at > now()"))
                .isEqualTo(1);
        assertThat(registry.inUse()).isZero();
    }

    @Test
    void withAnEmptyPoolTheOwnerHearsAtItsOwnDeadlineAndUnlocksAtOnce() throws Exception {
        lock.lock();
        try (var taken = pool.getConnection()) {
            assertThat(taken.isValid(1)).isTrue();
            assertThat(untilInterrupted()).isLessThan(TTL);
            long start = System.nanoTime();
            assertThatThrownBy(lock::tryLock).isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.MINUTES)).isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(lock::unlock)
                    .isInstanceOf(ConcurrentModificationException.class)
                    .hasMessageContaining("is UNCONFIRMED");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(500));
        }
        // the renewal finds that nobody has taken it over; then it must be given back
        assertThat(lock.tryLock(20, TimeUnit.SECONDS)).isTrue();
        lock.unlock();
        await().until(() -> leases.held().isEmpty());
    }

    @Test
    void anUnlockWaitsNoLongerThanTheLeaseIsTrusted() throws Exception {
        Duration ttl = Duration.ofSeconds(8);
        try (Leases slow = Leases.on(pool).ttl(ttl).margin(ttl.dividedBy(4)).build();
                var locks = new LeaseLockRegistry(slow)) {
            locks.obtain("slow").lock();
            var lease = slow.held().get(0);
            try (var taken = pool.getConnection()) {
                assertThat(taken.isValid(1)).isTrue();
                await().until(() -> lease.timeLeft().compareTo(Duration.ofMillis(1500)) < 0);
                long start = System.nanoTime();
                locks.obtain("slow").unlock();
                // a statement that gets no connection is given up after three seconds
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(2500));
            }
            assertThat(locks.obtain("slow").tryLock(20, TimeUnit.SECONDS)).isTrue();
            locks.obtain("slow").unlock();
        }
    }

    /** Keeps the flag. */
    private static void awaitInterrupt() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!Thread.currentThread().isInterrupted() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        }
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void anOwnerWhoseInterruptIsStillPendingHearsOfTheLossHoweverItAsks() throws Exception {
        lock.lock();
        DATABASE.execute("delete from leases");
        awaitInterrupt();
        assertThatThrownBy(lock::tryLock).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS)).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lock::lock).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(LeaseLostException.class);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
        assertThat(registry.inUse()).isZero();
    }

    @Test
    void theInterruptIsTakenBackWithTheUnlock() throws Exception {
        lock.lock();
        DATABASE.execute("delete from leases");
        awaitInterrupt();
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void anOwnerOfAHeldLeaseThatIsInterruptedLocksAgainOnlyWhereItDoesNotAskForInterrupts() throws Exception {
        lock.lock();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        Thread.currentThread().interrupt();
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        lock.lock();
        assertThat(Thread.interrupted()).isTrue();
        lock.unlock();
        lock.unlock();
        assertThat(registry.inUse()).isZero();
    }

    @Test
    void anOwnerThatAskedToGoOnIsNotInterrupted() throws Exception {
        try (var goingOn = new LeaseLockRegistry(leases, "go-on:", LossPolicy.GO_ON)) {
            Lock other = goingOn.obtain("feed");
            other.lock();
            DATABASE.execute("delete from leases");
            await().until(() -> leases.held().isEmpty());
            assertThatThrownBy(other::tryLock).isInstanceOf(LeaseLostException.class);
            // longer than from one look at the lease to the next
            assertThat(new CountDownLatch(1).await(1500, TimeUnit.MILLISECONDS)).isFalse();
            assertThatThrownBy(other::unlock).isInstanceOf(ConcurrentModificationException.class);
        }
    }
}
