package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a loss does to the work. */
class LossPolicyTest {

    private static final Duration BRIEF = Duration.ofSeconds(6);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final HikariDataSource pool = poolOfOne();
    private final Leases leases =
            Leases.on(pool).renewEvery(Duration.ofMillis(500)).build();

    private HikariDataSource poolOfOne() {
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    @AfterEach
    void close() {
        leases.close();
        pool.close();
    }

    /** One of several will do: the machine may stand still at any one of them. */
    @Test
    void workIsInterruptedAtTheOwnDeadlineWhileNobodyElseCanAcquireTheLeaseYet() throws Exception {
        try (var brief = Leases.on(pool).ttl(BRIEF).margin(BRIEF.dividedBy(3)).build()) {
            boolean inTime = false;
            for (int i = 0; i < 5 && !inTime; i++) {
                inTime = isInterruptedBeforeItsRowRunsOut(brief, "sweep " + i);
            }
            assertThat(inTime).as("before the row ran out").isTrue();
        }
    }

    /** Work that takes the only connection of the pool, so that nothing is renewed. */
    private boolean isInterruptedBeforeItsRowRunsOut(Leases brief, String name) throws Exception {
        var left = new AtomicReference<Duration>();
        var inTime = new AtomicBoolean();
        var hogged = new AtomicReference<@Nullable Connection>();
        try {
            Throwable thrown = catchThrowable(() -> brief.tryRun(name, LossPolicy.INTERRUPT, lease -> {
                hogged.set(pool.getConnection());
                try {
                    TimeUnit.MINUTES.sleep(2);
                } finally {
                    left.set(lease.timeLeft());
                    inTime.set(database.queryForLong("select count(*) from leases where name = '" + name
                                    + "' and expires_at > clock_timestamp()")
                            == 1);
                }
            }));
            if (hogged.get() == null) {
                return false; // it stood still already when the lease was acquired
            }
            assertThat(thrown)
                    .isInstanceOf(LeaseLostException.class)
                    .hasMessageContaining("is UNCONFIRMED")
                    .satisfies(e -> assertThat(e.getSuppressed()).hasOnlyElementsOfType(InterruptedException.class));
            assertThat(Thread.interrupted()).isFalse();
            assertThat(left.get()).isBetween(LIMIT.negated(), Duration.ZERO);
        } finally {
            Connection open = hogged.get();
            if (open != null) {
                open.close();
            }
        }
        return inTime.get();
    }

    @Test
    void workIsInterruptedWhenTheLeaseIsFoundLost() {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> leases.tryRun("sweep", LossPolicy.INTERRUPT, lease -> {
                    database.execute("delete from leases");
                    TimeUnit.SECONDS.sleep(60);
                }))
                .withMessageContaining("is LOST");
    }

    @Test
    void workThatNobodyWishedToBeInterruptedGoesOn() throws Exception {
        boolean ran = leases.tryRun("sweep", lease -> {
            database.execute("delete from leases");
            Await.until("lost", LIMIT, () -> lease.state() == LeaseState.LOST);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
        assertThat(ran).isTrue();
    }

    /** Though nobody has taken the lease over, and it is held again. */
    @Test
    void whatInterruptedWorkHasBegunIsCommittedUnderItsLeaseNoMore() throws Exception {
        try (var lease = leases.tryAcquire("sweep").lease().orElseThrow();
                var connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> lease.runOrInterrupt(held -> {
                        lease.fence(connection);
                        connection.rollback();
                        held.trustHasEnded();
                        assertThat(Thread.interrupted()).isTrue();
                        assertThat(held.isHeld()).isTrue();
                        assertRefused(() -> held.fence(connection));
                        assertRefused(() -> held.finish(connection));
                        assertRefused(() -> held.runFenced(unused -> {}));
                        fencesOnAnotherThread(held);
                    }))
                    .withMessageContaining("was interrupted");
            lease.fence(connection);
        }
    }

    private static void assertRefused(ThrowingCallable fence) {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(fence)
                .withMessageContaining("fences nothing any more: the work on this thread was interrupted");
    }

    private static void fencesOnAnotherThread(Lease lease) throws InterruptedException {
        var thrown = new AtomicReference<@Nullable Throwable>(new AssertionError("not run"));
        var thread = new Thread(() -> {
            lease.runFenced(unused -> {});
            thrown.set(null);
        });
        thread.start();
        thread.join();
        assertThat(thrown.get()).isNull();
    }

    @Test
    void allWorkUnderALeaseIsInterruptedNotOnlyTheLastThatBegan() {
        try (var lease = leases.tryAcquire("sweep").lease().orElseThrow()) {
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> lease.runOrInterrupt(held -> {
                        held.runOrInterrupt(again -> {});
                        held.trustHasEnded();
                        assertThat(Thread.interrupted()).isTrue();
                    }));
        }
    }

    @Test
    void aThreadIsNotInterruptedAfterItsWorkHasEnded() throws Exception {
        var worked = new ArrayList<Lease>();
        assertThat(leases.tryRun("sweep", LossPolicy.INTERRUPT, worked::add)).isTrue();
        worked.get(0).trustHasEnded();
        assertThat(Thread.interrupted()).isFalse();
    }
}
