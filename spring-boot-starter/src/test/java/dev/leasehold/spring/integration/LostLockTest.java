package dev.leasehold.spring.integration;

import static dev.leasehold.spring.integration.Others.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leases;
import dev.leasehold.LossPolicy;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the owner of a lock hears when its lease is lost, or cannot be confirmed because the pool is empty. */
@SuppressWarnings("LockNotBeforeTry") // a test looks between the two
class LostLockTest {

    /** Of leases that are to run out. */
    private static final Duration TTL = Duration.ofSeconds(6);

    private static final int TRIES = 5;

    private static final TestDatabase DATABASE = TestPostgres.freshDatabase();
    private final HikariDataSource pool = pool();
    /** Of a loss they hear soon, and they do not run out. */
    private final Leases leases =
            Leases.on(pool).renewEvery(Duration.ofMillis(250)).build();

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
        assertThatThrownBy(() -> new CountDownLatch(1).await(30, TimeUnit.SECONDS))
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

    /** Does that in one of a few tries, for the machine may keep this thread from hearing in time. */
    private static void assertInOneOfAFew(Callable<Boolean> isInTime) throws Exception {
        boolean wasInTime = false;
        for (int time = 1; time <= TRIES && !wasInTime; time++) {
            wasInTime = isInTime.call();
        }
        assertThat(wasInTime).isTrue();
    }

    @Test
    void withAnEmptyPoolTheOwnerHearsAtItsOwnDeadlineAndUnlocksAtOnce() throws Exception {
        try (Leases brief = Leases.on(pool).ttl(TTL).margin(TTL.dividedBy(3)).build();
                var locks = new LeaseLockRegistry(brief)) {
            assertInOneOfAFew(() -> {
                boolean isInTime = hearsAndUnlocksInTime(locks.obtain("brief"));
                // the renewal finds that nobody has taken it over; then it must be given back
                assertThat(locks.obtain("brief").tryLock(30, TimeUnit.SECONDS)).isTrue();
                locks.obtain("brief").unlock();
                await().until(() -> brief.held().isEmpty());
                return isInTime;
            });
        }
    }

    private boolean hearsAndUnlocksInTime(Lock brief) throws SQLException {
        brief.lock();
        try (var taken = pool.getConnection()) {
            assertThat(taken.isValid(1)).isTrue();
            Duration heard = untilInterrupted();
            long start = System.nanoTime();
            assertThatThrownBy(brief::tryLock).isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(() -> brief.tryLock(1, TimeUnit.MINUTES)).isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(brief::unlock)
                    .isInstanceOf(ConcurrentModificationException.class)
                    .hasMessageContaining("is UNCONFIRMED");
            Duration unlocked = Duration.ofNanos(System.nanoTime() - start);
            return heard.compareTo(TTL) < 0 && unlocked.compareTo(Duration.ofMillis(500)) < 0;
        }
    }

    @Test
    void anUnlockWaitsNoLongerThanTheLeaseIsTrusted() throws Exception {
        Duration ttl = Duration.ofSeconds(8);
        try (Leases slow = Leases.on(pool).ttl(ttl).margin(ttl.dividedBy(4)).build();
                var locks = new LeaseLockRegistry(slow)) {
            assertInOneOfAFew(() -> {
                Lock late = locks.obtain("slow");
                late.lock();
                boolean isInTime = unlocksInTime(late, slow.held().get(0));
                assertThat(late.tryLock(30, TimeUnit.SECONDS)).isTrue();
                late.unlock();
                await().until(() -> slow.held().isEmpty());
                return isInTime;
            });
        }
    }

    /** While the pool is empty, and the lease is trusted for a moment yet. */
    private boolean unlocksInTime(Lock late, Lease lease) throws SQLException {
        try (var taken = pool.getConnection()) {
            assertThat(taken.isValid(1)).isTrue();
            while (lease.timeLeft().compareTo(Duration.ofMillis(1500)) >= 0) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            long start = System.nanoTime();
            late.unlock();
            // a statement that gets no connection is given up after three seconds
            return Duration.ofNanos(System.nanoTime() - start).compareTo(Duration.ofMillis(2500)) < 0;
        } catch (ConcurrentModificationException e) {
            return false; // the moment has passed before
        }
    }

    /** Keeps the flag. */
    private static void awaitInterrupt() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
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
