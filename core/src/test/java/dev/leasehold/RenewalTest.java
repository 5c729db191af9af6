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
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a lease while its work runs. Some leases are brief, of three seconds, renewed every quarter of it. */
class RenewalTest {

    private static final Duration BRIEF = Duration.ofSeconds(3);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration QUICK = Duration.ofMillis(1500);

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
        return open(Leases.on(database.dataSource())
                .renewEvery(Duration.ofSeconds(1))
                .listener(events)
                .build());
    }

    private Leases leases(Duration ttl) {
        return open(Leases.on(database.dataSource()).ttl(ttl).listener(events).build());
    }

    private static Lease acquired(Leases leases, String name) throws Exception {
        return leases.tryAcquire(name, LIMIT).lease().orElseThrow();
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
        var ttl = Duration.ofSeconds(6);
        var lease = acquired(leases(ttl), "sweep");
        var contender = leases();
        long end = System.nanoTime() + ttl.plus(ttl.dividedBy(2)).toNanos();
        while (System.nanoTime() < end) {
            assertThat(contender.tryAcquire("sweep").lease()).isEmpty();
            assertThat(lease.isHeld()).isTrue();
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertThat(lease.release()).isNotEqualTo(ReleaseOutcome.LOST);
        Await.until("told", LIMIT, () -> events.seen.contains("released"));
        assertThat(events.seen).containsExactly("gained", "released");
    }

    @Test
    void aLeaseThatNobodyRenewsIsTakenOver() throws Exception {
        var dead = Leases.on(database.dataSource()).ttl(BRIEF).build();
        var lease = acquired(dead, "sweep");
        dead.close();
        acquired(leases(), "sweep");
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void theHolderWhoseRowVanishedIsToldAndStaysLost() throws Exception {
        var lease = leases().tryAcquire("sweep").lease().orElseThrow();
        database.execute("delete from leases");
        Await.until("told", LIMIT, () -> events.seen.contains("lost DELETED"));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::checkHeld);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
    }

    @Test
    void theHolderWhoseRowIsAnothersIsToldAndItsRenewalChangesNothing() throws Exception {
        var lease = leases().tryAcquire("sweep").lease().orElseThrow();
        database.execute(
                "update leases set holder = 'another', fence = fence + 1," + " expires_at = now() + interval '1 hour'");
        Await.until("told", LIMIT, () -> events.seen.contains("lost TAKEN_OVER"));
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
        var leases = open(Leases.on(pool).ttl(BRIEF).listener(events).build());
        var lease = acquired(leases, "sweep");
        Connection hogged = pool.getConnection();
        long start = System.nanoTime();
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> leases.tryAcquire("alerts"))
                .withMessageContaining("lease alerts could not be acquired: no connection within 1375 ms");
        assertThat(since(start)).as("the pool's own bound is longer").isLessThan(Duration.ofSeconds(15));
        Await.until("unconfirmed", LIMIT, () -> lease.state() == LeaseState.UNCONFIRMED);
        Await.until("told", LIMIT, () -> events.seen.contains("unconfirmed"));
        hogged.close();
        Await.until("held again", LIMIT, lease::isHeld);
        Await.until("told", LIMIT, () -> events.seen.contains("reconfirmed"));
        assertThat(acquired(leases, "alerts").isHeld()).isTrue();
    }

    @Test
    void aLockOnOneRowKeepsTheOthersFromNothingAndTheLockedOneIsRenewedOnceItGoes() throws Exception {
        var leases = leases(Duration.ofSeconds(5));
        var contender = leases();
        var locked = acquired(leases, "locked");
        var free = acquired(leases, "free");
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from leases where name = 'locked' for update");
            Await.until("unconfirmed", LIMIT, () -> locked.state() == LeaseState.UNCONFIRMED);
            assertThat(free.isHeld()).isTrue();
            assertThat(IntStream.range(0, 5).mapToObj(i -> refused(contender, "locked")))
                    .as("the best of several, for a busy machine may hold up any one of them")
                    .anyMatch(took -> took.compareTo(QUICK) < 0);
            other.rollback();
        }
        Await.until("held again", LIMIT, locked::isHeld);
        assertThat(free.isHeld()).isTrue();
    }

    private static Duration refused(Leases leases, String name) {
        long start = System.nanoTime();
        assertThat(leases.tryAcquire(name).lease()).isEmpty();
        return since(start);
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void aLeaseInDangerStandsInLineBeforeThoseWhoWouldTakeItOver() throws Exception {
        var lease = acquired(leases(BRIEF), "locked");
        var contender = leases();
        for (int i = 0; i < 3; i++) {
            try (var other = database.connect()) {
                other.setAutoCommit(false);
                other.createStatement().execute("select * from leases for update");
                Await.until("expired, and the holder in line", LIMIT, () -> database.queryForLong("""
                                        select count(*)
                                          from leases, pg_stat_activity a
                                         where leases.expires_at < clock_timestamp()
                                           and a.datname = current_database()
                                           and a.wait_event_type = 'Lock'
                                        """) == 1);
                other.rollback();
            }
            assertThat(contender.tryAcquire("locked").lease()).isEmpty();
            Await.until("held again", LIMIT, lease::isHeld);
        }
    }

    @Test
    void aLockedRowKeepsNoOtherLeaseOfAPoolOfOneFromItsRenewal() throws Exception {
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(1);
        var pool = open(new HikariDataSource(config));
        var ttl = Duration.ofSeconds(6);
        var leases =
                open(Leases.on(pool).ttl(ttl).renewEvery(Duration.ofMillis(300)).build());
        var locked = acquired(leases, "locked");
        var free = acquired(leases, "free");
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from leases where name = 'locked' for update");
            // It stands in line from half of the ttl on, for a ttl if it may; that long the other would not be renewed.
            for (long end = System.nanoTime() + ttl.multipliedBy(2).toNanos(); System.nanoTime() < end; ) {
                assertThat(database.queryForLong(
                                "select count(*) from leases where name = 'free' and expires_at > clock_timestamp()"))
                        .isEqualTo(1);
                TimeUnit.MILLISECONDS.sleep(20);
            }
            other.rollback();
        }
        Await.until("both held", LIMIT, () -> locked.isHeld() && free.isHeld());
    }

    @Test
    void twoLockedRowsTakeTurnsAndEachIsRenewedOnceItsOwnLockGoes() throws Exception {
        var leases = leases(BRIEF);
        var first = acquired(leases, "first");
        var second = acquired(leases, "second");
        try (var lockOfFirst = database.connect();
                var lockOfSecond = database.connect()) {
            lockOfFirst.setAutoCommit(false);
            lockOfSecond.setAutoCommit(false);
            lockOfFirst.createStatement().execute("select * from leases where name = 'first' for update");
            lockOfSecond.createStatement().execute("select * from leases where name = 'second' for update");
            Await.until("both unconfirmed", LIMIT, () -> !first.isHeld() && !second.isHeld());
            lockOfSecond.rollback();
            Await.until("the second held", LIMIT, second::isHeld);
            assertThat(first.isHeld()).isFalse();
            lockOfFirst.rollback();
            Await.until("the first held", LIMIT, first::isHeld);
        }
    }

    @Test
    void afterTheEndNobodyStandsInLineAndNothingIsRenewed() throws Exception {
        var leases = leases(BRIEF);
        acquired(leases, "locked");
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from leases for update");
            String waiting = "select count(*) from pg_stat_activity where datname = current_database()"
                    + " and wait_event_type = 'Lock'";
            Await.until("in line", LIMIT, () -> database.queryForLong(waiting) == 1);
            leases.close();
            Await.until("nobody in line", LIMIT, () -> database.queryForLong(waiting) == 0);
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
                LIMIT,
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
        var leases = leases(BRIEF);
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("lock table leases in access exclusive mode");
            assertThatExceptionOfType(LeaseException.class).isThrownBy(() -> leases.tryAcquire("sweep"));
            other.rollback();
        }
        assertThat(acquired(leases, "sweep").isHeld()).as("free again").isTrue();
    }

    @Test
    void anInterruptedCallerHoldsNothingAndAReleaseOnAnInterruptedThreadWorks() throws Exception {
        var leases = leases(Duration.ofMinutes(2));
        var lease = leases.tryAcquire("kept").lease().orElseThrow();
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement()
                    .execute("lock table leases in exclusive mode"); // no answer comes before the interrupt
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(LeaseException.class).isThrownBy(() -> leases.tryAcquire("sweep"));
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            other.rollback();
        }
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(acquired(leases, "sweep").isHeld()).as("free").isTrue();
    }

    @Test
    void aConnectionIsBorrowedOnlyForAMoment() throws SQLException {
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(2);
        var pool = open(new HikariDataSource(config));
        var leases = open(Leases.on(pool).build());
        for (int i = 0; i < 100; i++) {
            assertThat(leases.tryAcquire("lease-" + i).lease()).isPresent();
        }
        assertThat(leases.rows()).hasSize(100);
        assertThat(pool.getHikariPoolMXBean().getTotalConnections()).isLessThanOrEqualTo(2);
    }
}
