package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is asked at the same moment is one statement. */
class BatchesTest {

    private static final int CALLERS = 8;
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Grid HOURLY = Grid.every(Duration.ofHours(1));

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Semaphore gate = new Semaphore(Integer.MAX_VALUE / 2);
    private final AtomicInteger borrowed = new AtomicInteger();
    private final Leases leases = Leases.on(new ForwardingDataSource(database.dataSource()) {
                @Override
                public Connection getConnection() throws SQLException {
                    gate.acquireUninterruptibly();
                    borrowed.incrementAndGet();
                    return super.getConnection();
                }
            })
            .ttl(Duration.ofMinutes(2))
            .build();
    private final List<Thread> callers = new ArrayList<>();

    @AfterEach
    void close() {
        gate.release(100);
        leases.close();
    }

    /** Starts a caller, and returns once it waits. */
    private <T> CompletableFuture<T> call(Supplier<T> asking) throws Exception {
        var answer = new CompletableFuture<T>();
        var caller = new Thread(() -> {
            try {
                answer.complete(asking.get());
            } catch (LeaseException e) {
                answer.completeExceptionally(e);
            }
        });
        callers.add(caller);
        caller.start();
        Await.until("waits", LIMIT, () -> caller.getState() == Thread.State.TIMED_WAITING);
        return answer;
    }

    private void openGate() throws InterruptedException {
        gate.release(100);
        for (Thread caller : callers) {
            caller.join(LIMIT.toMillis());
        }
    }

    private void knowNames() {
        for (int i = 0; i < CALLERS; i++) {
            leases.tryAcquire("lease-" + i).lease().orElseThrow().release();
        }
        borrowed.set(0);
        gate.drainPermits();
    }

    @Test
    void manyCallersShareOneStatementAndEachGetsItsOwnAnswer() throws Exception {
        knowNames();
        var answers = new ArrayList<CompletableFuture<Acquisition>>();
        for (int i = 0; i < CALLERS; i++) {
            String name = "lease-" + i;
            answers.add(call(() -> leases.tryAcquire(name)));
        }
        var second = call(() -> leases.tryAcquire("lease-0"));
        openGate();
        assertThat(borrowed.get()).isEqualTo(1);
        for (int i = 0; i < CALLERS; i++) {
            Lease lease = answers.get(i).get().lease().orElseThrow();
            assertThat(lease.name()).isEqualTo("lease-" + i);
            assertThat(database.queryForString(
                            "select fence::text from leases where holder = '" + lease.holder() + "'"))
                    .isEqualTo(Long.toString(lease.fence()));
        }
        String winner = answers.get(0).get().lease().orElseThrow().holder();
        assertThat(second.get())
                .isInstanceOfSatisfying(
                        Acquisition.Busy.class,
                        busy -> assertThat(busy.holder()).contains(winner));
    }

    @Test
    void releasesShareOneStatementTooAndEachIsTrue() throws Exception {
        knowNames();
        gate.release(100);
        var held = new ArrayList<Lease>();
        for (int i = 0; i < CALLERS; i++) {
            held.add(leases.tryAcquire("lease-" + i).lease().orElseThrow());
        }
        database.execute("update leases set holder = 'another', fence = fence + 1 where name = 'lease-3'");
        gate.drainPermits();
        borrowed.set(0);
        var outcomes = new ArrayList<CompletableFuture<ReleaseOutcome>>();
        for (Lease lease : held) {
            outcomes.add(call(lease::release));
        }
        openGate();
        // one for all, and one to find out about the row that was not released
        assertThat(borrowed.get()).isEqualTo(2);
        for (int i = 0; i < CALLERS; i++) {
            assertThat(outcomes.get(i).get()).isEqualTo(i == 3 ? ReleaseOutcome.LOST : ReleaseOutcome.RELEASED);
        }
        assertThat(database.queryForLong("select count(*) from leases where expires_at > 'epoch'"))
                .isEqualTo(1);
    }

    @Test
    void anInterruptedCallerLeavesTheOthersTheirAnswerAndItsOwnNameIsFreeAgain() throws Exception {
        knowNames();
        var first = call(() -> leases.tryAcquire("lease-0"));
        var interrupted = call(() -> leases.tryAcquire("lease-1"));
        var third = call(() -> leases.tryAcquire("lease-2"));
        callers.get(1).interrupt();
        callers.get(1).join(LIMIT.toMillis());
        openGate();
        assertThat(first.get().lease()).isPresent();
        assertThat(third.get().lease()).isPresent();
        assertThat(interrupted).isCompletedExceptionally();
        Await.until(
                "free again",
                LIMIT,
                () -> database.queryForLong(
                                "select count(*) from leases where name = 'lease-1' and expires_at = 'epoch'")
                        == 1);
        assertThat(leases.tryAcquire("lease-1").lease()).isPresent();
    }

    @Test
    void aRowThatCannotBeDealtWithHarmsOnlyItsOwnName() throws Exception {
        knowNames();
        database.execute("update leases set fence = 9223372036854775807 where name = 'lease-0'");
        var broken = call(() -> leases.tryAcquire("lease-0"));
        var whole = call(() -> leases.tryAcquire("lease-1"));
        openGate();
        assertThat(broken).isCompletedExceptionally();
        assertThat(whole.get().lease()).isPresent();
    }

    private void knowSlots() throws SQLException {
        for (int i = 0; i < CALLERS; i++) {
            leases.tryAcquireSlot("lease-" + i, HOURLY).lease().orElseThrow().release();
        }
        borrowed.set(0);
        gate.drainPermits();
    }

    @Test
    void aRowThatSaysItWasAcquiredAtTheEndOfTimeIsAcquiredLikeAnyOther() throws Exception {
        knowSlots();
        database.execute("update leases set taken_at = 'infinity', expires_at = '2020-01-01' where name = 'lease-0'");
        var odd = call(() -> leases.tryAcquireSlot("lease-0", HOURLY));
        var whole = call(() -> leases.tryAcquireSlot("lease-1", HOURLY));
        openGate();
        assertThat(borrowed.get()).isEqualTo(1);
        assertThat(odd.get().lease().orElseThrow().slot().orElseThrow().died()).isPresent();
        assertThat(whole.get().lease()).isPresent();
    }

    /** As a trigger of somebody else's may. */
    @Test
    void aRowWhoseAcquisitionIsRefusedHarmsOnlyItsOwnSlot() throws Exception {
        knowSlots();
        database.execute("""
                create function refuse() returns trigger language plpgsql as $$
                begin
                  raise exception 'not this one' using errcode = '0A000';
                end $$
                """);
        database.execute("create trigger refuse before update on leases for each row when (old.name = 'lease-0')"
                + " execute function refuse()");
        var broken = call(() -> leases.tryAcquireSlot("lease-0", HOURLY));
        var whole = call(() -> leases.tryAcquireSlot("lease-1", HOURLY));
        openGate();
        assertThat(broken).isCompletedExceptionally();
        assertThat(whole.get().lease()).isPresent();
    }

    @Test
    void namesAreKeptExactlyInABatchToo() throws Exception {
        var names = List.of("NULL", "{}", "a\"b", "back\\slash", "comma,", " ");
        for (String name : names) {
            leases.tryAcquire(name).lease().orElseThrow().release();
        }
        gate.drainPermits();
        var answers = new ArrayList<CompletableFuture<Acquisition>>();
        for (String name : names) {
            answers.add(call(() -> leases.tryAcquire(name)));
        }
        openGate();
        for (int i = 0; i < names.size(); i++) {
            assertThat(answers.get(i).get().lease().orElseThrow().name()).isEqualTo(names.get(i));
        }
        assertThat(database.queryForLong("select count(*) from leases where expires_at > now()"))
                .isEqualTo(names.size());
    }
}
