package dev.leasehold.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.LeaseException;
import dev.leasehold.Leases;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A database that is away for a while, and rows that others have locked. */
class DatabaseInTroubleTest {

    private static final Duration BRIEF = Duration.ofSeconds(4);
    private static final LockConfiguration JOB =
            new LockConfiguration(Instant.EPOCH, "job", Duration.ofHours(1), Duration.ZERO);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final LockRows rows = new LockRows(database);
    private final BreakableDataSource source = new BreakableDataSource(database.dataSource());
    private final Leases leases =
            Leases.on(source).renewEvery(Duration.ofSeconds(1)).build();
    private final Leases othersLeases = Leases.on(database.dataSource()).build();
    private final LeaseholdLockProvider provider = LeaseholdLockProvider.on(leases);
    private final LeaseholdLockProvider others = LeaseholdLockProvider.on(othersLeases);

    @AfterEach
    void close() {
        leases.close();
        othersLeases.close();
    }

    /** As ShedLock's JDBC providers: an empty answer would say that another instance does the work. */
    @Test
    void aLockThatCannotBeAskedForIsAnErrorAndTheWorkDoesNotRun() {
        source.breakDown();
        var ran = new AtomicBoolean();
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() ->
                        new DefaultLockingTaskExecutor(provider).executeWithLock((Runnable) () -> ran.set(true), JOB))
                .withMessageContaining("job")
                .withCauseInstanceOf(LeaseException.class);
        assertThat(ran).isFalse();
        source.repair();
        new DefaultLockingTaskExecutor(provider).executeWithLock((Runnable) () -> ran.set(true), JOB);
        assertThat(ran).isTrue();
    }

    @Test
    void anAnswerThatIsLostLeavesNothingLocked() throws Exception {
        try (var wire = Wire.to(database);
                var far = Leases.on(TestDatabase.dataSource(wire.jdbcUrl(database)))
                        .ttl(BRIEF)
                        .build()) {
            wire.failNext("insert into", Wire.Fault.CUT_AFTER_APPLY);
            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(() -> LeaseholdLockProvider.on(far).lock(JOB));
            Await.until("free", () -> others.lock(JOB).isPresent());
        }
    }

    @Test
    void anUnlockDoesNotThrowAndFreesTheLockWhenTheDatabaseIsBack() throws Exception {
        var lock = provider.lock(JOB).orElseThrow();
        source.breakDown();
        lock.unlock();
        assertThat(rows.isLocked("job")).isTrue();
        source.repair();
        Await.until(
                "released, not run out",
                () -> database.queryForLong("select count(*) from leases where expires_at = 'epoch'") == 1);
    }

    @Test
    void anExtensionThatCannotBeAskedForIsAnErrorAndLeavesTheLockAsItWas() {
        var lock = provider.lock(JOB).orElseThrow();
        source.breakDown();
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> lock.extend(Duration.ofHours(2), Duration.ZERO))
                .withMessageContaining("job");
        source.repair();
        var extended = lock.extend(Duration.ofHours(2), Duration.ZERO).orElseThrow();
        extended.unlock();
        assertThat(rows.isLocked("job")).isFalse();
    }

    @Test
    void renewalsThatFailEndNothing() throws Exception {
        var lock = provider.lock(JOB).orElseThrow();
        for (int i = 0; i < 2; i++) {
            int before = source.failures();
            source.breakDown();
            Await.until("two renewals failed", () -> source.failures() >= before + 2);
            source.repair();
            Duration reached = rows.sinceTaken("job", "expires_at");
            Await.until("renewed", () -> rows.sinceTaken("job", "expires_at").compareTo(reached) > 0);
            assertThat(others.lock(JOB)).isEmpty();
        }
        assertThat(leases.held())
                .singleElement()
                .satisfies(lease -> assertThat(lease.isHeld()).isTrue());
        lock.unlock();
        Await.until("free", () -> others.lock(JOB).isPresent());
    }

    @Test
    void aRowThatAnotherTransactionHasLockedForMoreThanALeaseIsStillOurs() throws Exception {
        try (var brief = Leases.on(database.dataSource()).ttl(BRIEF).build()) {
            var lock = LeaseholdLockProvider.on(brief).lock(JOB).orElseThrow();
            try (var foreign = database.connect();
                    var statement = foreign.createStatement()) {
                foreign.setAutoCommit(false);
                statement.execute("select from leases for no key update");
                Await.until("run out while it is locked", () -> !rows.isLocked("job"));
                foreign.rollback();
            }
            Await.until("renewed", () -> {
                assertThat(others.lock(JOB)).isEmpty();
                return rows.isLocked("job");
            });
            lock.unlock();
            Await.until("free", () -> others.lock(JOB).isPresent());
        }
    }
}
