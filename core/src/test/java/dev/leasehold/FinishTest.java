package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lease that is released inside the transaction that holds the effects of its work. */
class FinishTest {

    private static final Grid HOURLY = Grid.every(Duration.ofHours(1));
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final LeaseListener listener = new LeaseListener() {
        @Override
        public void lost(Lease lease, LossReason reason) {
            events.add("lost " + reason);
        }

        @Override
        public void released(Lease lease) {
            events.add("released");
        }
    };
    private final Leases leases =
            Leases.on(database.dataSource()).listener(listener).build();

    @AfterEach
    void close() {
        leases.close();
    }

    private Lease acquired() {
        return leases.tryAcquireSlot("sweep", HOURLY).lease().orElseThrow();
    }

    private String row() throws SQLException {
        return ""
                + database.queryForString(
                        "select case when expires_at = 'epoch' then 'released' else 'held' end"
                                + " || case when done_slot is null then ', due' else ', done' end from leases where name = 'sweep'");
    }

    @Test
    void theSlotIsCountedAndTheLeaseReleasedByTheCommit() throws Exception {
        var lease = acquired();
        lease.runFenced(connection -> {
            lease.finish(connection);
            assertThat(lease.isHeld())
                    .as("still trusted before others can have it")
                    .isFalse();
            assertThat(row()).isEqualTo("held, due");
        });
        assertThat(row()).isEqualTo("released, done");
        assertThat(lease.releaseDone()).isEqualTo(ReleaseOutcome.RELEASED);
        Await.until("told", LIMIT, () -> !events.isEmpty());
        assertThat(events).containsExactly("released");
    }

    @Test
    void aFinishThatIsRolledBackLeavesTheSlotDue() throws Exception {
        var lease = acquired();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> lease.runFenced(connection -> {
                    lease.finish(connection);
                    throw new IllegalArgumentException("the work fails after all");
                }));
        assertThat(row()).isEqualTo("held, due");
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(row()).isEqualTo("released, due");
        assertThat(leases.tryAcquireSlot("sweep", HOURLY).lease()).isPresent();
    }

    @Test
    void aRolledBackTransactionMayBeTriedAgain() throws Exception {
        var lease = acquired();
        try (var connection = begun()) {
            lease.finish(connection);
            connection.rollback();
            lease.finish(connection);
            connection.commit();
        }
        assertThat(row()).isEqualTo("released, done");
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void aFinishByHandIsNoLossEvenIfAnotherHasAcquiredTheNameSince() throws Exception {
        var lease = leases.tryAcquire("sweep").lease().orElseThrow();
        try (var connection = begun()) {
            lease.finish(connection);
            connection.commit();
        }
        assertThat(leases.tryAcquire("sweep").lease()).isPresent();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(row()).isEqualTo("held, due");
    }

    @Test
    void aReleaseBeforeTheEndOfTheTransactionWaitsForItInTheBackground() throws Exception {
        var lease = acquired();
        try (var connection = begun()) {
            lease.finish(connection);
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.PENDING);
            connection.commit();
        }
        Await.until("told", LIMIT, () -> events.contains("released"));
        assertThat(events).containsExactly("released");
        assertThat(row()).isEqualTo("released, done");
    }

    @Test
    void aFinishedLeaseIsNotRenewedAndNotToldAsLostWhileItsTransactionIsOpen() throws Exception {
        try (var brief = Leases.on(database.dataSource())
                        .ttl(Duration.ofSeconds(4))
                        .listener(listener)
                        .build();
                var connection = begun()) {
            var lease = brief.tryAcquireSlot("sweep", HOURLY).lease().orElseThrow();
            lease.finish(connection);
            Await.until(
                    "run out",
                    LIMIT,
                    () -> database.queryForLong(
                                    "select count(*) from leases where name = 'sweep' and expires_at < clock_timestamp()")
                            == 1);
            assertThat(leases.tryAcquire("sweep").lease()).isEmpty();
            connection.commit();
        }
        assertThat(row()).isEqualTo("released, done");
        assertThat(events).isEmpty();
    }

    @Test
    void whatCouldNotBeFinishedIsSaidSo() throws Exception {
        var lease = acquired();
        var closed = begun();
        closed.close();
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> lease.finish(closed))
                .withMessageContaining("could not be finished");
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void aTransactionThatFinishedTheLeaseIsFencedByThatAndNoLaterOneIs() throws Exception {
        var lease = acquired();
        try (var connection = begun()) {
            lease.finish(connection);
            lease.fence(connection);
            connection.commit();
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> lease.fence(connection));
            connection.rollback();
        }
        assertThat(row()).isEqualTo("released, done");
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void aFinishWhoseSavepointWasRolledBackDoesNotStandForAFence() throws Exception {
        var lease = acquired();
        try (var connection = begun()) {
            var savepoint = connection.setSavepoint();
            lease.finish(connection);
            connection.rollback(savepoint);
            database.execute("update leases set holder = 'another', fence = fence + 1");
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> lease.fence(connection));
            connection.rollback();
        }
    }

    @Test
    void aStaleHolderFinishesNothing() throws Exception {
        var lease = acquired();
        database.execute("update leases set holder = 'another', fence = fence + 1");
        try (var connection = begun()) {
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> lease.finish(connection));
            connection.rollback();
        }
        assertThat(row()).isEqualTo("held, due");
    }

    @Test
    void aSecondFinishAfterTheCommitFindsTheLeaseReleasedAndLosesNothing() throws Exception {
        var lease = acquired();
        try (var connection = begun()) {
            lease.finish(connection);
            connection.commit();
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> lease.finish(connection));
            connection.rollback();
        }
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        Await.until("told", LIMIT, () -> !events.isEmpty());
        assertThat(events).containsExactly("released");
    }

    @Test
    void twoFencedTransactionsOfOneLeaseThatBothFinishItDoNotWaitForEachOther() throws Exception {
        var lease = acquired();
        int before = database.serverLog().size();
        var bothFenced = new CyclicBarrier(2);
        var executor = Executors.newFixedThreadPool(2);
        try {
            Callable<Boolean> finishing = () -> {
                try (var connection = begun()) {
                    lease.fence(connection);
                    bothFenced.await(30, TimeUnit.SECONDS);
                    try {
                        lease.finish(connection);
                        connection.commit();
                        return true;
                    } catch (IllegalStateException | LeaseLostException refused) {
                        connection.rollback();
                        return false;
                    }
                }
            };
            var first = executor.submit(finishing);
            var second = executor.submit(finishing);
            assertThat(List.of(first.get(), second.get())).containsExactlyInAnyOrder(true, false);
        } finally {
            executor.shutdownNow();
        }
        assertThat(row()).isEqualTo("released, done");
        List<String> log = database.serverLog();
        assertThat(log.subList(before, log.size())).noneMatch(line -> line.contains("deadlock"));
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    private Connection begun() throws SQLException {
        var connection = database.connect();
        connection.setAutoCommit(false);
        return connection;
    }
}
