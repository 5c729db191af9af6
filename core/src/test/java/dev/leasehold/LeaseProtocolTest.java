package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract of acquire, renew and release, on a real PostgreSQL. */
class LeaseProtocolTest {

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final List<Leases> opened = new ArrayList<>();

    private Leases leases(Duration ttl) {
        var leases = Leases.on(database.dataSource()).ttl(ttl).build();
        opened.add(leases);
        return leases;
    }

    private Leases leases() {
        return leases(Duration.ofMinutes(2));
    }

    @AfterEach
    void close() {
        opened.forEach(Leases::close);
    }

    private static Lease acquire(Leases leases, String name) {
        return leases.tryAcquire(name).lease().orElseThrow(() -> new AssertionError("busy: " + name));
    }

    private void expire(String name) throws SQLException {
        database.execute("update leases set expires_at = now() - interval '1 ms' where name = '" + name + "'");
    }

    @Test
    void aFreeNameIsAcquiredAndHeld() {
        var lease = acquire(leases(), "sweep");
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(lease.holder()).contains(":" + ProcessHandle.current().pid() + ":");
        assertThat(lease.timeLeft()).isBetween(Duration.ofSeconds(100), Duration.ofSeconds(110));
        lease.checkHeld();
    }

    @Test
    void aRefusalSaysWhoHoldsItAndForHowLongYet() {
        var held = acquire(leases(), "sweep");
        var refusal = leases(Duration.ofSeconds(20)).tryAcquire("sweep");
        assertThat(refusal).isInstanceOfSatisfying(Acquisition.Busy.class, busy -> {
            assertThat(busy.holder()).contains(held.holder());
            assertThat(busy.timeLeft().orElseThrow()).isBetween(Duration.ofSeconds(110), Duration.ofSeconds(120));
        });
    }

    @Test
    void twoThreadsOfOneProcessExcludeEachOther() {
        var leases = leases();
        var first = acquire(leases, "sweep");
        assertThat(leases.tryAcquire("sweep"))
                .isInstanceOfSatisfying(
                        Acquisition.Busy.class,
                        busy -> assertThat(busy.heldHere()).isTrue());
        assertThat(leases().tryAcquire("sweep"))
                .isInstanceOfSatisfying(
                        Acquisition.Busy.class,
                        busy -> assertThat(busy.heldHere()).isFalse());
        assertThat(first.isHeld()).isTrue();
    }

    @Test
    void aReleasedNameIsFreeAtOnceAndEachAcquisitionHasANewHolderAndALargerFence() {
        var leases = leases();
        var first = acquire(leases, "sweep");
        assertThat(first.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(first.isHeld()).isFalse();
        assertThat(first.state()).isEqualTo(LeaseState.RELEASED);
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(first::checkHeld)
                .withMessageContaining("sweep");
        var second = acquire(leases, "sweep");
        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(second.holder()).isNotEqualTo(first.holder());
        assertThat(second.deaths()).isZero();
    }

    @Test
    void anExpiredLeaseIsTakenOverAndTheDeathIsCounted() throws SQLException {
        var first = acquire(leases(), "sweep");
        expire("sweep");
        var second = acquire(leases(), "sweep");
        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(second.deaths()).isEqualTo(1);
        expire("sweep");
        var third = acquire(leases(), "sweep");
        assertThat(third.deaths()).isEqualTo(2);
        third.release();
        assertThat(acquire(leases(), "sweep").deaths()).isZero();
    }

    @Test
    void aLateReleaseFreesNothingOfASuccessorAndSaysThatTheLeaseWasLost() throws SQLException {
        var late = acquire(leases(), "sweep");
        expire("sweep");
        var successor = acquire(leases(), "sweep");
        assertThat(late.release()).isEqualTo(ReleaseOutcome.LOST);
        assertThat(leases().tryAcquire("sweep").lease()).isEmpty();
        assertThat(successor.isHeld()).isTrue();
        assertThat(successor.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void aRestingNameIsBusyButNobodysAndNoDeath() throws SQLException {
        acquire(leases(), "sweep").release();
        database.execute("update leases set holder = '-', expires_at = now() + interval '1 hour'");
        assertThat(leases().tryAcquire("sweep")).isInstanceOfSatisfying(Acquisition.Busy.class, busy -> {
            assertThat(busy.holder()).isEmpty();
            assertThat(busy.timeLeft()).isPresent();
        });
        assertThat(leases().rows())
                .singleElement()
                .satisfies(row -> assertThat(row.held()).isFalse());
        expire("sweep");
        assertThat(acquire(leases(), "sweep").deaths()).isZero();
    }

    @Test
    void theFenceStillGrowsWhenTheRowWasDeleted() throws SQLException {
        var first = acquire(leases(), "sweep");
        database.execute("delete from leases");
        assertThat(acquire(leases(), "sweep").fence()).isGreaterThan(first.fence());
    }

    @Test
    void theFenceGrowsPastAFenceAheadOfTheClock() throws SQLException {
        acquire(leases(), "sweep").release();
        database.execute("update leases set fence = 9000000000000000000");
        assertThat(acquire(leases(), "sweep").fence()).isEqualTo(9000000000000000001L);
    }

    @Test
    void aRowLockedByAnotherTransactionIsBusyAtOnceAndNobodySaysWhoseItIs() throws SQLException {
        acquire(leases(), "sweep").release();
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from leases for update");
            var answer = leases().tryAcquire("sweep");
            assertThat(answer)
                    .isEqualTo(
                            new Acquisition.Busy(Optional.empty(), Optional.empty(), Optional.empty(), false, false));
            other.rollback();
        }
        assertThat(leases().tryAcquire("sweep").lease()).isPresent();
    }

    @Test
    void namesAreKeptExactly() {
        var leases = leases();
        for (String name :
                List.of(" ", "'; drop table leases; --", "a:b?c", "ß😀", "x".repeat(512), "😀".repeat(512))) {
            var lease = acquire(leases, name);
            assertThat(leases.tryAcquire(name).lease()).isEmpty();
            assertThat(leases.rows())
                    .filteredOn(LeaseRow::held)
                    .singleElement()
                    .satisfies(row -> assertThat(row.name()).isEqualTo(name));
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
        assertThat(leases.rows()).hasSize(6);
    }

    @Test
    void aSlotThatTurnsWhileItIsAskedForIsNoRace() {
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(2);
        try (var pool = new HikariDataSource(config);
                var leases = Leases.on(pool).build()) {
            var grid = Grid.every(Duration.ofMillis(1));
            for (int i = 0; i < 1000; i++) {
                var answer = leases.tryAcquireSlot("quick", grid);
                assertThat(answer).isNotInstanceOf(Acquisition.Busy.class);
                answer.lease().ifPresent(Lease::releaseDone);
            }
        }
    }

    @Test
    void aMissingScheduleIsRefusedBeforeAnythingIsSent() {
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> leases().tryAcquireSlot("sweep", nothing()))
                .withMessage("schedule");
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T nothing() {
        return null;
    }

    @Test
    void twoTablesDoNotRefuseEachOthersTakeovers() throws SQLException {
        var elsewhere = Leases.on(database.dataSource()).table("other_leases").build();
        opened.add(elsewhere);
        acquire(leases(), "sweep");
        acquire(elsewhere, "sweep");
        database.execute("update other_leases set expires_at = now() - interval '1 ms'");
        expire("sweep");
        try (var connection = database.connect()) {
            connection.setAutoCommit(false);
            connection
                    .createStatement()
                    .execute(
                            "select pg_advisory_xact_lock(hashtextextended('sweep', 'leases'::regclass::oid::bigint))");
            assertThat(leases().tryAcquire("sweep").lease()).isEmpty();
            assertThat(elsewhere.tryAcquire("sweep").lease()).isPresent();
            connection.rollback();
        }
    }

    @Test
    void theTakerSettlesTheLengthAndNobodysOwnSettingShortensIt() {
        acquire(leases(Duration.ofMinutes(1)), "sweep");
        var refusal = leases(Duration.ofSeconds(12)).tryAcquire("sweep");
        assertThat(((Acquisition.Busy) refusal).timeLeft().orElseThrow()).isGreaterThan(Duration.ofSeconds(50));
    }

    @Test
    void manyThreadsAtTheSameMomentHaveOneWinnerAndTheServerLogsNoError() throws Exception {
        int threads = 20;
        long errors = errorsInTheLog();
        var all = new ArrayList<Leases>();
        for (int i = 0; i < 4; i++) {
            all.add(leases());
        }
        var executor = Executors.newFixedThreadPool(threads);
        try {
            for (int attempt = 0; attempt < 10; attempt++) {
                String name = "fresh-" + attempt;
                var barrier = new CyclicBarrier(threads);
                var answers = Collections.synchronizedList(new ArrayList<Future<Acquisition>>());
                for (int i = 0; i < threads; i++) {
                    var leases = all.get(i % all.size());
                    answers.add(executor.submit(() -> {
                        barrier.await();
                        return leases.tryAcquire(name);
                    }));
                }
                int winners = 0;
                for (var answer : answers) {
                    winners += answer.get().lease().isPresent() ? 1 : 0;
                }
                assertThat(winners).as(name).isEqualTo(1);
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(errorsInTheLog()).isEqualTo(errors);
    }

    private long errorsInTheLog() {
        return database.serverLog().stream()
                .filter(line -> line.contains("ERROR") && line.contains("leases_pkey"))
                .count();
    }

    @Test
    void workRunsUnderTheLeaseAndTheLeaseIsReleasedWhateverItThrows() {
        var leases = leases();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> leases.tryRun("sweep", lease -> {
                    assertThat(leases.tryAcquire("sweep").lease()).isEmpty();
                    throw new IllegalStateException("work");
                }));
        var ran = new ArrayList<Lease>();
        assertThat(leases.tryRun("sweep", ran::add)).isTrue();
        assertThat(ran)
                .singleElement()
                .satisfies(lease -> assertThat(lease.state()).isEqualTo(LeaseState.RELEASED));
        acquire(leases, "sweep");
        assertThat(leases.tryRun("sweep", ran::add)).isFalse();
        assertThat(ran).hasSize(1);
    }

    /** Who looks while another thread is in the middle of a release must not take it for a finish. */
    @Test
    void aLeaseIsReleasedFromTheMomentInWhichItsStateSaysSo() throws SQLException {
        var lease = acquire(leases(), "sweep");
        lease.move(Standing::released);
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(lease.isReleased()).isTrue();
    }

    @Test
    void aLostLeaseIsNotReleasedByItsRelease() throws SQLException {
        var lease = acquire(leases(), "sweep");
        lease.move(Standing::lost);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
        assertThat(lease.isReleased()).isFalse();
    }

    @Test
    void afterTheEndNothingIsAcquiredAndWhatIsHeldIsNotReleased() throws SQLException {
        var leases = leases();
        var held = acquire(leases, "sweep");
        leases.close();
        leases.close();
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> leases.tryAcquire("alerts"))
                .withMessageContaining("the leases are closed");
        assertThat(held.isHeld()).isTrue();
        assertThat(leases().tryAcquire("sweep").lease()).isEmpty();
        assertThat(database.queryForLong("select count(*) from leases")).isEqualTo(1);
    }

    @Test
    void aRowWithoutAnEndIsBusyAndDisturbsNoOther() throws SQLException {
        acquire(leases(), "pinned").release();
        database.execute("update leases set holder = 'operator', expires_at = 'infinity'");
        var leases = leases();
        assertThat(leases.tryAcquire("pinned")).isInstanceOfSatisfying(Acquisition.Busy.class, busy -> {
            assertThat(busy.holder()).contains("operator");
            assertThat(busy.timeLeft()).isEmpty();
        });
        assertThat(leases.tryAcquireSlot("pinned", Grid.every(Duration.ofSeconds(1))))
                .isInstanceOfSatisfying(
                        Acquisition.Busy.class,
                        busy -> assertThat(busy.nextSlotIn()).isPresent());
        assertThat(leases.rows()).singleElement().satisfies(row -> {
            assertThat(row.held()).isTrue();
            assertThat(row.timeLeft()).isGreaterThan(Duration.ofDays(36500));
        });
    }
}
