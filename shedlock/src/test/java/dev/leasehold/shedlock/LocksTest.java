package dev.leasehold.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.leasehold.Leases;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What ShedLock's words mean on leases. */
class LocksTest {

    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Duration HOUR = Duration.ofHours(1);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final LockRows rows = new LockRows(database);
    private final Leases leases = Leases.on(database.dataSource()).ttl(TTL).build();
    private final Leases othersLeases = Leases.on(database.dataSource()).build();
    private final LeaseholdLockProvider provider = LeaseholdLockProvider.on(leases);
    private final LockProvider others = LeaseholdLockProvider.on(othersLeases);
    private final String job = "job-" + UUID.randomUUID();

    @AfterEach
    void close() {
        leases.close();
        othersLeases.close();
    }

    private LockConfiguration lock(Duration atMost, Duration atLeast) {
        return new LockConfiguration(Instant.now(), job, atMost, atLeast);
    }

    private Optional<SimpleLock> tryLock(LockProvider some, Duration atMost) {
        return some.lock(lock(atMost, Duration.ZERO));
    }

    /** For longer than a lease lasts without renewal. */
    private void staysLocked() throws Exception {
        Await.until("a quarter of a ttl more than one", () -> {
            assertThat(tryLock(others, HOUR)).as("a second holder").isEmpty();
            return rows.sinceTaken(job, "clock_timestamp()")
                            .compareTo(TTL.multipliedBy(5).dividedBy(4))
                    > 0;
        });
    }

    @Test
    void workThatOutlivesALeaseKeepsItsLock() throws Exception {
        var lock = tryLock(provider, HOUR).orElseThrow();
        staysLocked();
        lock.unlock();
        Await.until("free", () -> tryLock(others, HOUR).isPresent());
    }

    @Test
    void renewedUntilUnlockItKeepsItsLockBeyondLockAtMostForToo() throws Exception {
        var lock =
                tryLock(provider.renewedUntilUnlock(), Duration.ofMillis(500)).orElseThrow();
        staysLocked();
        lock.unlock();
        Await.until("free", () -> tryLock(others, HOUR).isPresent());
    }

    @Test
    void afterLockAtMostForItIsFreeThoughItsHolderLivesAndNotBefore() throws Exception {
        var atMost = TTL.plusMillis(1500);
        var overdue = tryLock(provider, atMost).orElseThrow();
        String first = rows.holder(job);
        Await.until("free", () -> {
            if (rows.holder(job).equals(first)) {
                assertThat(rows.sinceTaken(job, "expires_at")).isLessThanOrEqualTo(atMost);
            }
            return tryLock(others, HOUR).isPresent();
        });
        overdue.unlock();
        assertThat(rows.isLocked(job)).as("the other's").isTrue();
    }

    @Test
    void theLockOfAShortJobIsFreeAfterLessThanALease() throws Exception {
        try (var longLeases = Leases.on(database.dataSource()).build()) {
            var atMost = Duration.ofMillis(400);
            assertThat(tryLock(LeaseholdLockProvider.on(longLeases), atMost)).isPresent();
            assertThat(rows.sinceTaken(job, "expires_at")).isEqualTo(atMost);
            Await.until("free", () -> tryLock(others, HOUR).isPresent());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1_000_000})
    void lockAtMostForMayBeNothingOrAlmostForEver(long days) {
        var lock = tryLock(provider, Duration.ofDays(days)).orElseThrow();
        lock.unlock();
        assertThat(rows.isLocked(job)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anUnlockAfterALossFreesNobodysLockAndSaysSo(boolean isLossKnown) throws Exception {
        try (var log = new CapturedLog();
                var some = isLossKnown
                        ? Leases.on(database.dataSource()).ttl(TTL).build()
                        : Leases.on(database.dataSource()).build()) {
            var late = tryLock(LeaseholdLockProvider.on(some), Duration.ofMillis(100))
                    .orElseThrow();
            Await.until("free", () -> tryLock(others, HOUR).isPresent());
            if (isLossKnown) {
                Await.until("noticed", () -> some.held().isEmpty());
            }
            String other = rows.holder(job);
            late.unlock();
            assertThat(rows.holder(job)).isEqualTo(other);
            assertThat(rows.isLocked(job)).isTrue();
            String said = isLossKnown ? "is unlocked after it was lost" : "had been lost before its release";
            assertThat(log.text()
                            .lines()
                            .filter(line -> line.contains("WARN") && line.contains(job) && line.contains(said)))
                    .hasSize(1);
        }
    }

    @Test
    void anUnlockAfterTheLimitIsNoLossWhileNobodyHasTakenTheLock() throws Exception {
        var late = tryLock(provider, Duration.ofMillis(50)).orElseThrow();
        Await.until("run out", () -> !rows.isLocked(job));
        late.unlock();
        assertThat(database.queryForLong("select count(*) from leases where expires_at = 'epoch'"))
                .isEqualTo(1);
    }

    @Test
    void anUnlockBeforeLockAtLeastForLetsTheNameRest() throws Exception {
        var atLeast = Duration.ofSeconds(4);
        provider.lock(lock(HOUR, atLeast)).orElseThrow().unlock();
        assertThat(rows.holder(job)).isEqualTo("-");
        assertThat(rows.sinceTaken(job, "expires_at")).isGreaterThanOrEqualTo(atLeast);
        Await.until("free", () -> tryLock(others, HOUR).isPresent());
        assertThat(database.queryForLong("select deaths from leases"))
                .as("nobody died")
                .isZero();
    }

    @Test
    void aLockThatLastedForLockAtLeastForDoesNotRest() throws Exception {
        var atLeast = Duration.ofMillis(200);
        var lock = provider.lock(lock(HOUR, atLeast)).orElseThrow();
        Await.until(
                "long enough", () -> rows.sinceTaken(job, "clock_timestamp()").compareTo(atLeast.multipliedBy(2)) > 0);
        lock.unlock();
        Await.until("free", () -> tryLock(others, HOUR).isPresent());
    }

    @Test
    void bothLengthsOfAnExtensionCountFromItsMoment() throws Exception {
        var lock = tryLock(provider, HOUR).orElseThrow();
        Await.until("a while", () -> rows.sinceTaken(job, "clock_timestamp()").toMillis() > 500);
        var extended = lock.extend(HOUR, Duration.ofSeconds(20)).orElseThrow();
        extended.unlock();
        assertThat(rows.sinceTaken(job, "expires_at")).isGreaterThanOrEqualTo(Duration.ofMillis(20_500));
        assertThat(tryLock(others, HOUR)).isEmpty();
    }

    @Test
    void anExtensionThatComesTooLateIsEmptyAndLeavesTheLockToBeUnlocked() throws Exception {
        var late = tryLock(provider, Duration.ofMillis(50)).orElseThrow();
        Await.until("free", () -> tryLock(others, HOUR).isPresent());
        assertThat(late.extend(HOUR, Duration.ZERO)).isEmpty();
        late.unlock();
        assertThat(rows.isLocked(job)).as("the other's").isTrue();
        assertThatIllegalStateException().isThrownBy(late::unlock).withMessageContaining(job);
    }

    @Test
    void renewedUntilUnlockItIsExtendedOnlyWhileItIsHeld() throws Exception {
        var lock = tryLock(provider.renewedUntilUnlock(), HOUR).orElseThrow();
        var extended = lock.extend(HOUR, Duration.ZERO).orElseThrow();
        assertThatIllegalStateException().isThrownBy(lock::unlock);
        database.execute("delete from leases");
        Await.until("lost", () -> leases.held().isEmpty());
        assertThat(extended.extend(HOUR, Duration.ZERO)).isEmpty();
    }

    @Test
    void inShedLocksExecutorTheLockIsAssertedAndExtendedAsWithAnyProvider() throws Throwable {
        var atMost = Duration.ofSeconds(30);
        try (var longLeases = Leases.on(database.dataSource()).build()) {
            var executor = new DefaultLockingTaskExecutor(LeaseholdLockProvider.on(longLeases));
            var result = executor.executeWithLock(
                    () -> {
                        LockAssert.assertLocked();
                        LockExtender.extendActiveLock(HOUR, Duration.ZERO);
                        assertThat(new DefaultLockingTaskExecutor(others)
                                        .executeWithLock(() -> "again", lock(HOUR, Duration.ZERO))
                                        .wasExecuted())
                                .as("the same thread has it already")
                                .isTrue();
                        return rows.sinceTaken(job, "expires_at");
                    },
                    lock(atMost, Duration.ZERO));
            assertThat(result.getResult()).isGreaterThan(atMost);
            assertThat(rows.isLocked(job)).isFalse();
        }
    }

    @Test
    void workWhoseExtensionFailsEndsWithThatErrorAlone() {
        var executor = new DefaultLockingTaskExecutor(provider);
        assertThatExceptionOfType(LockExtender.LockCanNotBeExtendedException.class)
                .isThrownBy(() -> executor.executeWithLock(
                        (LockingTaskExecutor.Task) () -> {
                            Await.until("run out", () -> !rows.isLocked(job));
                            LockExtender.extendActiveLock(HOUR, Duration.ZERO);
                        },
                        lock(Duration.ofMillis(50), Duration.ZERO)));
    }

    @Test
    void whatTheTableCannotKeepIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> provider.lock(lock(Duration.ofDays(400), Duration.ofDays(367))))
                .withMessageContaining("lockAtLeastFor is PT8808H");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> provider.lock(new LockConfiguration(Instant.now(), "x".repeat(513), HOUR, Duration.ZERO)))
                .withMessageContaining("513 characters");
    }
}
