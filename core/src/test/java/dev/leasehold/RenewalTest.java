package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a lease while its work runs. Leases of three seconds, renewed every quarter of it. */
class RenewalTest {

    private static final Duration TTL = Duration.ofSeconds(3);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Events events = new Events();
    private final List<AutoCloseable> opened = new ArrayList<>();

    /** Writes down what it is told. */
    private static final class Events implements LeaseListener {

        private final List<String> seen = new CopyOnWriteArrayList<>();

        @Override
        public void gained(Lease lease) {
            seen.add("gained");
            throw new IllegalStateException("a listener that throws breaks nothing");
        }

        @Override
        public void unconfirmed(Lease lease) {
            seen.add("unconfirmed");
        }

        @Override
        public void reconfirmed(Lease lease) {
            seen.add("reconfirmed");
        }

        @Override
        public void lost(Lease lease, LossReason reason) {
            seen.add("lost " + reason);
        }

        @Override
        public void released(Lease lease) {
            seen.add("released");
        }
    }

    private Leases leases() {
        return open(Leases.on(database.dataSource()).ttl(TTL).listener(events).build());
    }

    private <T extends AutoCloseable> T open(T closeable) {
        opened.add(0, closeable);
        return closeable;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : opened) {
            closeable.close();
        }
    }

    @Test
    void aRenewedLeaseIsNotTakenOver() throws Exception {
        var lease = leases().tryAcquire("sweep").lease().orElseThrow();
        var contender = leases();
        long end = System.nanoTime() + TTL.multipliedBy(4).toNanos();
        while (System.nanoTime() < end) {
            assertThat(contender.tryAcquire("sweep").lease()).isEmpty();
            assertThat(lease.isHeld()).isTrue();
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        Await.until("told", TTL, () -> events.seen.contains("released"));
        assertThat(events.seen).containsExactly("gained", "released");
    }

    @Test
    void aLeaseThatNobodyRenewsIsTakenOver() throws Exception {
        var dead = Leases.on(database.dataSource()).ttl(TTL).build();
        var lease = dead.tryAcquire("sweep").lease().orElseThrow();
        dead.close();
        var contender = leases();
        Await.until(
                "taken over",
                TTL.multipliedBy(3),
                () -> contender.tryAcquire("sweep").lease().isPresent());
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void theHolderWhoseRowVanishedIsToldAndStaysLost() throws Exception {
        var lease = leases().tryAcquire("sweep").lease().orElseThrow();
        database.execute("delete from leases");
        Await.until("told", TTL, () -> events.seen.contains("lost DELETED"));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::checkHeld);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
    }

    @Test
    void theHolderWhoseRowIsAnothersIsToldAndItsRenewalChangesNothing() throws Exception {
        var lease = leases().tryAcquire("sweep").lease().orElseThrow();
        database.execute(
                "update leases set holder = 'another', fence = fence + 1," + " expires_at = now() + interval '1 hour'");
        Await.until("told", TTL, () -> events.seen.contains("lost TAKEN_OVER"));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(database.queryForString("select holder || (expires_at > now() + interval '50 minutes') from leases"))
                .isEqualTo("anothertrue");
    }

    @Test
    void anEmptyPoolEndsTheTrustInTimeAndTheLeaseIsHeldAgainWhenTheRowIsStillOurs() throws Exception {
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(1);
        var pool = open(new HikariDataSource(config));
        var leases = open(Leases.on(pool).ttl(TTL).listener(events).build());
        var lease = leases.tryAcquire("sweep").lease().orElseThrow();
        Connection hogged = pool.getConnection();
        long start = System.nanoTime();
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> leases.tryAcquire("alerts"))
                .withMessageContaining("lease alerts could not be acquired: no connection within 1375 ms");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TTL);
        Await.until("unconfirmed", TTL.multipliedBy(2), () -> lease.state() == LeaseState.UNCONFIRMED);
        Await.until("told", TTL.multipliedBy(2), () -> events.seen.contains("unconfirmed"));
        hogged.close();
        Await.until("held again", TTL.multipliedBy(5), lease::isHeld);
        Await.until("told", TTL.multipliedBy(2), () -> events.seen.contains("reconfirmed"));
        assertThat(leases.tryAcquire("alerts").lease()).isPresent();
    }

    @Test
    void aLockOnOneRowKeepsTheOthersFromNothingAndTheLockedOneIsRenewedOnceItGoes() throws Exception {
        var leases = leases();
        var locked = leases.tryAcquire("locked").lease().orElseThrow();
        var free = leases.tryAcquire("free").lease().orElseThrow();
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from leases where name = 'locked' for update");
            Await.until("unconfirmed", TTL.multipliedBy(3), () -> locked.state() == LeaseState.UNCONFIRMED);
            assertThat(free.isHeld()).isTrue();
            long start = System.nanoTime();
            assertThat(leases().tryAcquire("locked").lease()).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TTL.dividedBy(2));
            other.rollback();
        }
        Await.until("held again", TTL.multipliedBy(2), locked::isHeld);
        assertThat(free.isHeld()).isTrue();
    }

    @Test
    void aLeaseInDangerStandsInLineBeforeThoseWhoWouldTakeItOver() throws Exception {
        var lease = leases().tryAcquire("locked").lease().orElseThrow();
        var contender = leases();
        for (int i = 0; i < 3; i++) {
            try (var other = database.connect()) {
                other.setAutoCommit(false);
                other.createStatement().execute("select * from leases for update");
                Await.until(
                        "expired, and the holder in line", TTL.multipliedBy(3), () -> database.queryForLong("""
                                        select count(*)
                                          from leases, pg_stat_activity a
                                         where leases.expires_at < clock_timestamp()
                                           and a.datname = current_database()
                                           and a.wait_event_type = 'Lock'
                                        """) == 1);
                other.rollback();
            }
            assertThat(contender.tryAcquire("locked").lease()).isEmpty();
            Await.until("held again", TTL.multipliedBy(2), lease::isHeld);
        }
    }

    @Test
    void aLockedRowKeepsNoOtherLeaseOfAPoolOfOneFromItsRenewal() throws Exception {
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(1);
        var pool = open(new HikariDataSource(config));
        var leases = open(Leases.on(pool).ttl(TTL).build());
        var locked = leases.tryAcquire("locked").lease().orElseThrow();
        var free = leases.tryAcquire("free").lease().orElseThrow();
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from leases where name = 'locked' for update");
            for (long end = System.nanoTime() + TTL.multipliedBy(4).toNanos(); System.nanoTime() < end; ) {
                assertThat(database.queryForLong(
                                "select count(*) from leases where name = 'free' and expires_at > clock_timestamp()"))
                        .isEqualTo(1);
                TimeUnit.MILLISECONDS.sleep(20);
            }
            other.rollback();
        }
        Await.until("both held", TTL.multipliedBy(3), () -> locked.isHeld() && free.isHeld());
    }

    @Test
    void twoLockedRowsTakeTurnsAndEachIsRenewedOnceItsOwnLockGoes() throws Exception {
        var leases = leases();
        var first = leases.tryAcquire("first").lease().orElseThrow();
        var second = leases.tryAcquire("second").lease().orElseThrow();
        try (var lockOfFirst = database.connect();
                var lockOfSecond = database.connect()) {
            lockOfFirst.setAutoCommit(false);
            lockOfSecond.setAutoCommit(false);
            lockOfFirst.createStatement().execute("select * from leases where name = 'first' for update");
            lockOfSecond.createStatement().execute("select * from leases where name = 'second' for update");
            Await.until("both unconfirmed", TTL.multipliedBy(3), () -> !first.isHeld() && !second.isHeld());
            lockOfSecond.rollback();
            Await.until("the second held", TTL.multipliedBy(3), second::isHeld);
            assertThat(first.isHeld()).isFalse();
            lockOfFirst.rollback();
            Await.until("the first held", TTL.multipliedBy(3), first::isHeld);
        }
    }

    @Test
    void afterTheEndNobodyStandsInLineAndNothingIsRenewed() throws Exception {
        var leases = leases();
        assertThat(leases.tryAcquire("locked").lease()).isPresent();
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from leases for update");
            String waiting = "select count(*) from pg_stat_activity where datname = current_database()"
                    + " and wait_event_type = 'Lock'";
            Await.until("in line", TTL.multipliedBy(2), () -> database.queryForLong(waiting) == 1);
            leases.close();
            Await.until("nobody in line", TTL, () -> database.queryForLong(waiting) == 0);
            String before = "" + database.queryForString("select expires_at::text from leases");
            other.rollback();
            assertThat(database.queryForString("select expires_at::text from leases"))
                    .isEqualTo(before);
        }
    }

    @Test
    void aReleaseOfALockedRowReturnsAtOnceAndCompletesOnceTheLockGoes() throws Exception {
        var lease = leases().tryAcquire("sweep").lease().orElseThrow();
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from leases for update");
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.PENDING);
            assertThat(lease.isHeld()).isFalse();
            other.rollback();
        }
        Await.until(
                "released",
                TTL.multipliedBy(2),
                () -> database.queryForLong("select count(*) from leases where expires_at = 'epoch'") == 1);
    }

    @Test
    void aReleaseThatIsStillPendingGetsOneMoreTurnAtTheEnd() throws Exception {
        var leases = Leases.on(database.dataSource()).ttl(Duration.ofHours(10)).build();
        var lease = leases.tryAcquire("sweep").lease().orElseThrow();
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from leases for update");
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.PENDING);
            TimeUnit.SECONDS.sleep(2); // the pauses between the tries grow
            other.rollback();
        }
        leases.close();
        assertThat(database.queryForString("select (expires_at = 'epoch')::text from leases"))
                .isEqualTo("true");
    }

    @Test
    void aStatementThatTheServerHoldsUpEndsWithinItsBoundAndTheNameIsFreeAgainWithinSeconds() throws Exception {
        var leases = leases();
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("lock table leases in access exclusive mode");
            assertThatExceptionOfType(LeaseException.class).isThrownBy(() -> leases.tryAcquire("sweep"));
            other.rollback();
        }
        Await.until(
                "free again",
                TTL.multipliedBy(4),
                () -> leases.tryAcquire("sweep").lease().isPresent());
    }

    @Test
    void anInterruptedCallerHoldsNothingAndAReleaseOnAnInterruptedThreadWorks() throws Exception {
        var leases = leases();
        var lease = leases.tryAcquire("kept").lease().orElseThrow();
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(LeaseException.class).isThrownBy(() -> leases.tryAcquire("sweep"));
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(Thread.interrupted()).isTrue();
        Await.until(
                "free",
                TTL.multipliedBy(3),
                () -> leases.tryAcquire("sweep").lease().isPresent());
    }

    @Test
    void aConnectionIsBorrowedOnlyForAMoment() throws SQLException {
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(2);
        var pool = open(new HikariDataSource(config));
        var leases = open(Leases.on(pool).ttl(TTL).build());
        for (int i = 0; i < 100; i++) {
            assertThat(leases.tryAcquire("lease-" + i).lease()).isPresent();
        }
        assertThat(leases.rows()).hasSize(100);
        assertThat(pool.getHikariPoolMXBean().getTotalConnections()).isLessThanOrEqualTo(2);
    }
}
