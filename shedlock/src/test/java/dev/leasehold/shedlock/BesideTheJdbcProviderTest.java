package dev.leasehold.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.shedlock.LockMain.Maker;
import dev.leasehold.shedlock.LockProcess.Asked;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.support.ShortKeepAlive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The same two situations with ShedLock's JDBC provider, by the database's clock and kept alive, and with leases. */
class BesideTheJdbcProviderTest {

    private static final Duration LENGTH = Duration.ofSeconds(3);
    private static final Duration HOUR = Duration.ofHours(1);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final BreakableDataSource source = new BreakableDataSource(database.dataSource());
    private final LockRows rows = new LockRows(database);
    private final ScheduledExecutorService keepAlive = Executors.newSingleThreadScheduledExecutor();

    @BeforeEach
    void createTable() throws Exception {
        JdbcLocks.createTable(database);
    }

    @AfterEach
    void close() {
        keepAlive.shutdownNow();
    }

    private static LockConfiguration job(Duration atMost) {
        return new LockConfiguration(Instant.now(), "job", atMost, Duration.ZERO);
    }

    /** Until one attempt to renew has failed. */
    private void failOnce() throws Exception {
        int before = source.failures();
        source.breakDown();
        Await.until("a failed renewal", () -> source.failures() > before);
        source.repair();
    }

    private boolean isFree(LockProvider others) {
        return others.lock(job(HOUR)).isPresent();
    }

    @Test
    void oneFailedExtensionEndsTheKeepAliveForGoodAndASecondHolderGetsIn() throws Exception {
        LockProvider keptAlive = ShortKeepAlive.of(JdbcLocks.on(source), keepAlive);
        var first = keptAlive.lock(job(LENGTH)).orElseThrow();
        failOnce();
        Await.until("the first still works, and the second gets in", () -> isFree(JdbcLocks.on(database.dataSource())));
        first.unlock();
    }

    @Test
    void aLeaseOutlivesFailedRenewals() throws Exception {
        var ttl = Duration.ofSeconds(5);
        try (var leases = Leases.on(source).ttl(ttl).build();
                var othersLeases = Leases.on(database.dataSource()).build()) {
            var others = LeaseholdLockProvider.on(othersLeases);
            var first = LeaseholdLockProvider.on(leases)
                    .renewedUntilUnlock()
                    .lock(job(LENGTH))
                    .orElseThrow();
            failOnce();
            Await.until("half a ttl more than one", () -> {
                assertThat(isFree(others)).as("a second holder").isFalse();
                return rows.sinceTaken("job", "clock_timestamp()")
                                .compareTo(ttl.multipliedBy(3).dividedBy(2))
                        > 0;
            });
            first.unlock();
            Await.until("free", () -> isFree(others));
        }
    }

    /** Both processes are on this host, and the host's name is all that the row tells of its owner. */
    @Test
    void aLateUnlockOfOneProcessFreesTheJdbcLockOfAnother() throws Exception {
        var others = JdbcLocks.on(database.dataSource());
        try (var late = LockProcess.start(database, Maker.JDBC, Asked.atMost(Duration.ofMillis(100)))) {
            assertThat(late.says()).isEqualTo("locked");
            Await.until("the second has it", () -> isFree(others));
            assertThat(isFree(others)).as("a third").isFalse();
            late.unlock();
            assertThat(late.says()).isEqualTo("unlocked");
            assertThat(isFree(others)).as("a third, while the second works").isTrue();
        }
    }

    /** Nothing is kept alive while its process is frozen, and what it finds afterwards has its own name on it. */
    @Test
    void neitherDoesAKeepAliveSaveTheLockOfAnother() throws Exception {
        var others = JdbcLocks.on(database.dataSource());
        try (var late = LockProcess.start(database, Maker.JDBC_KEPT_ALIVE, Asked.atMost(HOUR))) {
            assertThat(late.says()).isEqualTo("locked");
            late.signal("STOP");
            assertThat(isFree(others)).as("a second, before the hour is over").isFalse();
            database.execute("update shedlock set lock_until = locked_at");
            Await.until("the second has it", () -> isFree(others));
            assertThat(isFree(others)).as("a third").isFalse();
            late.signal("CONT");
            late.unlock();
            assertThat(late.says()).isEqualTo("unlocked");
            assertThat(isFree(others)).as("a third, while the second works").isTrue();
        }
    }

    @Test
    void aLateUnlockOfOneProcessLeavesTheLeaseOfAnotherAlone() throws Exception {
        try (var leases = Leases.on(database.dataSource()).build();
                var late = LockProcess.start(database, Maker.LEASEHOLD, Asked.atMost(Duration.ofMillis(100)))) {
            var others = LeaseholdLockProvider.on(leases);
            assertThat(late.says()).isEqualTo("locked");
            Await.until("the second has it", () -> isFree(others));
            assertThat(isFree(others)).as("a third").isFalse();
            late.unlock();
            assertThat(late.says()).isEqualTo("unlocked");
            assertThat(isFree(others)).as("a third, while the second works").isFalse();
        }
    }
}
