package dev.leasehold.spring.integration;

import static dev.leasehold.spring.integration.Others.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Leases;
import dev.leasehold.LossPolicy;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is promised of locks whose leases are not lost, by two instances on one database. */
@SuppressWarnings("LockNotBeforeTry") // a test looks between the two
class LeaseLockRegistryTest {

    private static final TestDatabase DATABASE = TestPostgres.freshDatabase();
    private final HikariDataSource poolHere = pool(3);
    private final HikariDataSource poolThere = pool(3);
    private final Leases leasesHere = Leases.on(poolHere).build();
    private final Leases leasesThere = Leases.on(poolThere).build();
    private final LeaseLockRegistry here = new LeaseLockRegistry(leasesHere);
    private final LeaseLockRegistry there = new LeaseLockRegistry(leasesThere);

    /** Guarded by a lock, and by nothing else. */
    private int plain;

    private HikariDataSource pool(int size) {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(DATABASE.jdbcUrl());
        pool.setMaximumPoolSize(size);
        return pool;
    }

    @AfterEach
    void close() throws SQLException {
        here.close();
        there.close();
        leasesHere.close();
        leasesThere.close();
        poolHere.close();
        poolThere.close();
        DATABASE.execute("drop table leases");
    }

    private static boolean isFree(LeaseLockRegistry registry, String key) {
        Lock lock = registry.obtain(key);
        return lock.tryLock() && unlocked(lock);
    }

    private static boolean unlocked(Lock lock) {
        lock.unlock();
        return true;
    }

    @Test
    void aLockHasOneOwnerInTheCluster() {
        Lock lock = here.obtain("feed");
        lock.lock();
        assertThat(there.obtain("feed").tryLock()).isFalse();
        assertThat(isFree(there, "other")).isTrue();
        lock.unlock();
        assertThat(there.obtain("feed").tryLock()).isTrue();
        assertThat(lock.tryLock()).isFalse();
        there.obtain("feed").unlock();
    }

    @Test
    void otherThreadsOfTheProcessAreExcludedToo() throws Exception {
        here.obtain("feed").lock();
        assertThat(Others.answer(() -> here.obtain("feed").tryLock())).isFalse();
        assertThat(Others.answer(() -> here.obtain("feed").tryLock(100, TimeUnit.MILLISECONDS)))
                .isFalse();
        here.obtain("feed").unlock();
        assertThat(Others.answer(() -> isFree(here, "feed"))).isTrue();
    }

    @Test
    void aLockIsReentrantOnOneLeaseAndFreeAfterItsLastUnlock() throws Exception {
        here.obtain("feed").lock();
        String fence = DATABASE.queryForString("select fence from leases");
        assertThat(here.obtain("feed").tryLock()).isTrue();
        here.obtain("feed").lockInterruptibly();
        assertThat(here.obtain("feed").tryLock(1, TimeUnit.SECONDS)).isTrue();
        for (int held = 4; held > 0; held--) {
            assertThat(there.obtain("feed").tryLock()).isFalse();
            assertThat(DATABASE.queryForString("select fence from leases")).isEqualTo(fence);
            here.obtain("feed").unlock();
        }
        assertThat(isFree(there, "feed")).isTrue();
    }

    @Test
    void onlyTheOwnerUnlocksAndRenews() throws Exception {
        assertThatThrownBy(() -> here.obtain("feed").unlock()).isInstanceOf(IllegalMonitorStateException.class);
        here.obtain("feed").lock();
        here.renewLock("feed");
        here.renewLock("feed", Duration.ofHours(1));
        for (Callable<Boolean> wrong : List.<Callable<Boolean>>of(
                () -> unlocked(here.obtain("feed")), () -> unlocked(there.obtain("feed")), () -> {
                    here.renewLock("feed");
                    return true;
                })) {
            assertThatThrownBy(() -> Others.answer(wrong)).hasCauseInstanceOf(IllegalMonitorStateException.class);
        }
        assertThat(there.obtain("feed").tryLock()).isFalse();
        here.obtain("feed").unlock();
        assertThatThrownBy(() -> here.obtain("feed").unlock()).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void anInterruptEndsTheWaitAndLeavesNothingLocked() throws Exception {
        for (LeaseLockRegistry owner : List.of(there, here)) {
            owner.obtain("feed").lock();
            for (Callable<Boolean> wait : List.<Callable<Boolean>>of(
                    () -> {
                        here.obtain("feed").lockInterruptibly();
                        return true;
                    },
                    () -> here.obtain("feed").tryLock(1, TimeUnit.MINUTES))) {
                var waiting = Others.start(wait);
                await().until(waiting::isWaiting);
                waiting.thread().interrupt();
                assertThatThrownBy(waiting::get).hasCauseInstanceOf(InterruptedException.class);
            }
            owner.obtain("feed").unlock();
            assertThat(here.inUse()).isZero();
            // the statement of one that was interrupted may land late, and is undone then
            await().until(() -> isFree(there, "feed"));
        }
    }

    @Test
    void lockWaitsOnThroughAnInterruptAndKeepsTheFlag() throws Exception {
        there.obtain("feed").lock();
        var waiting = Others.start(() -> {
            here.obtain("feed").lock();
            boolean interrupted = Thread.currentThread().isInterrupted();
            here.obtain("feed").unlock();
            return interrupted && Thread.currentThread().isInterrupted();
        });
        await().until(waiting::isWaiting);
        waiting.thread().interrupt();
        await().until(() -> !waiting.thread().isInterrupted() && waiting.isWaiting());
        there.obtain("feed").unlock();
        assertThat(waiting.get()).isTrue();
        assertThat(isFree(there, "feed")).isTrue();
    }

    @Test
    void aTryOnAnInterruptedThreadAnswersNoAndKeepsTheFlag() throws Exception {
        assertThat(Others.answer(() -> {
                    Thread.currentThread().interrupt();
                    return !here.obtain("feed").tryLock()
                            && Thread.currentThread().isInterrupted();
                }))
                .isTrue();
        assertThat(here.inUse()).isZero();
    }

    @Test
    void aTryWaitsAsLongAsItIsTold() throws Exception {
        there.obtain("feed").lock();
        long start = System.nanoTime();
        assertThat(here.obtain("feed").tryLock(300, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(here.obtain("feed").tryLock(Duration.ofMillis(300), Duration.ofMinutes(5)))
                .isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(600));
        var waiting =
                Others.start(() -> here.obtain("feed").tryLock(1, TimeUnit.MINUTES) && unlocked(here.obtain("feed")));
        await().until(waiting::isWaiting);
        there.obtain("feed").unlock();
        assertThat(waiting.get()).isTrue();
    }

    @Test
    void threadsOfTwoInstancesThatCountUnderALockLoseNoCount() throws Exception {
        List<Others.Running<Boolean>> counting = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            LeaseLockRegistry registry = thread % 2 == 0 ? here : there;
            counting.add(Others.start(() -> {
                for (int i = 0; i < 10; i++) {
                    registry.executeLocked("count", this::addOne);
                }
                return true;
            }));
        }
        for (Others.Running<Boolean> each : counting) {
            assertThat(each.get()).isTrue();
        }
        assertThat(plain).isEqualTo(8 * 10);
        assertThat(here.inUse() + there.inUse()).isZero();
    }

    private void addOne() {
        int before = plain;
        Thread.onSpinWait();
        plain = before + 1;
    }

    @Test
    void locksThatAreHeldAndWaitedForLeaveAPoolOfOneItsConnection() throws Exception {
        try (var pool = pool(1)) {
            try (Leases leases = Leases.on(pool).build();
                    var registry = new LeaseLockRegistry(leases)) {
                for (int i = 0; i < 5; i++) {
                    registry.obtain("lock" + i).lock();
                }
                there.obtain("feed").lock();
                var waiting = Others.start(() ->
                        registry.obtain("feed").tryLock(1, TimeUnit.MINUTES) && unlocked(registry.obtain("feed")));
                await().until(waiting::isWaiting);
                await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
                for (int i = 0; i < 20; i++) {
                    try (var connection = pool.getConnection();
                            var statement = connection.createStatement()) {
                        assertThat(statement.execute("select pg_sleep(0.01)")).isTrue();
                    }
                }
                there.obtain("feed").unlock();
                assertThat(waiting.get()).isTrue();
                for (int i = 0; i < 5; i++) {
                    registry.obtain("lock" + i).unlock();
                }
            }
        }
    }

    @Test
    void theNameOfTheLeaseIsThePrefixAndTheKey() throws Exception {
        here.obtain("feed").lock();
        assertThat(DATABASE.queryForString("select name from leases")).isEqualTo("lock:feed");
        here.obtain("feed").unlock();
        try (var bare = new LeaseLockRegistry(leasesHere, "", LossPolicy.INTERRUPT)) {
            bare.obtain("nightly").lock();
            assertThat(leasesThere.tryAcquire("nightly").lease()).isEmpty();
            bare.obtain("nightly").unlock();
        }
    }

    @Test
    void aKeyThatIsNoNameIsRefused() {
        assertThatThrownBy(() -> here.obtain(42))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the key of a lock is a java.lang.Integer, but must be a String: 42");
        assertThatThrownBy(() -> here.obtain("x".repeat(508)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has 513 characters, but must have 1 to 512");
        assertThatThrownBy(() -> new LeaseLockRegistry(leasesHere, "\0", LossPolicy.GO_ON))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTimeToLiveMustBeOneAndChangesNothing() throws Exception {
        var lock = here.obtain("feed");
        assertThatThrownBy(() -> lock.lock(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ttl is PT0S");
        lock.lock(Duration.ofSeconds(1));
        assertThat(lock.tryLock(Duration.ZERO, Duration.ofMillis(1))).isTrue();
        assertThat(DATABASE.queryForLong("select extract(epoch from expires_at - now())::bigint from leases"))
                .isBetween(60L, 120L);
        lock.unlock();
        lock.unlock();
    }

    @Test
    void thereAreNoConditions() {
        assertThatThrownBy(() -> here.obtain("feed").newCondition()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void ofLocksThatNobodyUsesNothingIsKeptAndTheirRowsCanBeDeleted() throws Exception {
        for (int i = 0; i < 30; i++) {
            assertThat(isFree(here, "group-" + i)).isTrue();
        }
        here.obtain("held").lock();
        assertThat(here.inUse()).isEqualTo(1);
        here.expireUnusedOlderThan(0);
        assertThat(DATABASE.queryForLong("select count(*) from leases")).isEqualTo(31);
        DATABASE.execute("update leases set taken_at = now() - interval '2 minutes', fence = fence - 120000000"
                + " where expires_at = 'epoch'");
        here.expireUnusedOlderThan(0);
        assertThat(DATABASE.queryForString("select name from leases")).isEqualTo("lock:held");
        here.obtain("held").unlock();
    }

    @Test
    void whoUnlocksWhenTheRegistryClosesLeavesTheLeaseFree() throws Exception {
        var locked = new CountDownLatch(1);
        var stop = new CountDownLatch(1);
        var owner = Others.start(() -> {
            here.obtain("feed").lock();
            locked.countDown();
            stop.await();
            return unlocked(here.obtain("feed"));
        });
        locked.await();
        var closing = Others.start(() -> {
            here.close();
            return there.obtain("feed").tryLock();
        });
        await().pollInterval(Duration.ofMillis(10)).until(closing::isWaiting);
        stop.countDown();
        assertThat(closing.get()).isTrue();
        assertThat(owner.get()).isTrue();
        assertThatThrownBy(() -> here.obtain("other").tryLock())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("its registry is closed");
        assertThat(isFree(there, "other")).isTrue();
    }
}
