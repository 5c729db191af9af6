package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.Rounds;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.Wire;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A wire to the database that loses answers, goes silent or is cut. Leases of four seconds, so a bound of 1.8 seconds. */
class BrokenWiresTest {

    private static final Duration TTL = Duration.ofSeconds(4);
    private static final Duration LIMIT = TTL.multipliedBy(5);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Wire wire = Wire.to(database);
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final HikariDataSource pool = pool();

    private HikariDataSource pool() {
        var config = new HikariConfig();
        // a URL of the pool's own would make its timeout that of all connections of the JVM
        config.setDataSource(TestDatabase.dataSource(wire.jdbcUrl(database) + "&loginTimeout=1"));
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(1000);
        return filled(new HikariDataSource(config));
    }

    /** With both connections open: one that is opened while answers are lost would occupy the pool's only opener for good. */
    private static HikariDataSource filled(HikariDataSource pool) {
        try (var first = pool.getConnection();
                var second = pool.getConnection()) {
            assertThat(first).isNotSameAs(second);
            return pool;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Leases leases(DataSource dataSource) {
        return Leases.on(dataSource)
                .ttl(TTL)
                .listener(new LeaseListener() {
                    @Override
                    public void unconfirmed(Lease lease) {
                        events.add("unconfirmed " + lease.name());
                        throw new IllegalStateException("told by the renewal thread, which goes on");
                    }

                    @Override
                    public void lost(Lease lease, LossReason reason) {
                        events.add("lost " + lease.name());
                    }

                    @Override
                    public void released(Lease lease) {
                        events.add("released " + lease.name());
                    }
                })
                .build();
    }

    @AfterEach
    void close() {
        pool.close();
        wire.close();
    }

    private boolean isHeldInTheTable(String name) throws Exception {
        return database.queryForLong(
                        "select count(*) from leases where name = '" + name + "' and expires_at > clock_timestamp()")
                == 1;
    }

    /** With its next connection for a caller the wire becomes another: a pool that looks at its connections has done so. */
    private final class Failing extends ForwardingDataSource {

        private final AtomicReference<Wire.Mode> next = new AtomicReference<>(Wire.Mode.WHOLE);

        Failing(DataSource target) {
            super(target);
        }

        void nextIs(Wire.Mode mode) {
            next.set(mode);
        }

        @Override
        public Connection getConnection() throws SQLException {
            var connection = super.getConnection();
            if (Thread.currentThread().getName().startsWith("leasehold-sender")) {
                Wire.Mode mode = next.getAndSet(Wire.Mode.WHOLE);
                if (mode != Wire.Mode.WHOLE) {
                    wire.become(mode);
                }
            }
            return connection;
        }
    }

    @Test
    void anAcquireWhoseAnswerIsLostIsNotHeldAndTheNameIsFreeAgainWithinSeconds() throws Exception {
        var failing = new Failing(pool);
        try (var leases = Leases.on(failing).ttl(TTL.multipliedBy(5)).build()) {
            leases.tryAcquire("warm", LIMIT).lease().orElseThrow().release();
            failing.nextIs(Wire.Mode.ANSWERS_LOST);
            assertThatExceptionOfType(LeaseException.class).isThrownBy(() -> leases.tryAcquire("sweep"));
            assertThat(isHeldInTheTable("sweep"))
                    .as("the server has acquired it")
                    .isTrue();
            wire.become(Wire.Mode.WHOLE);
            Await.until("free again", TTL.multipliedBy(4), () -> !isHeldInTheTable("sweep"));
            assertThat(database.queryForString("select (expires_at = 'epoch')::text from leases where name = 'sweep'"))
                    .as("released, not run out")
                    .isEqualTo("true");
        }
    }

    @Test
    void aReleaseWhoseAnswerIsLostIsNoLossOfTheLease() throws Exception {
        var failing = new Failing(pool);
        try (var leases = leases(failing)) {
            var lease = leases.tryAcquireSlot("sweep", Grid.every(Duration.ofHours(1)))
                    .lease()
                    .orElseThrow();
            failing.nextIs(Wire.Mode.ANSWERS_LOST);
            assertThat(lease.releaseDone()).isEqualTo(ReleaseOutcome.PENDING);
            assertThat(lease.releaseDone()).isEqualTo(ReleaseOutcome.PENDING);
            assertThat(database.queryForLong("select count(*) from leases where done_slot is not null"))
                    .isEqualTo(1);
            wire.become(Wire.Mode.WHOLE);
            Await.until("told", LIMIT, () -> events.contains("released sweep"));
            assertThat(events).doesNotContain("lost sweep");
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void whenTheDatabaseIsAwayForLongerThanALeaseTheTrustEndsInTimeAndAllGoesOnByItselfAfterwards() throws Exception {
        try (var leases = leases(pool)) {
            List<Instant> slots = new CopyOnWriteArrayList<>();
            var round = Round.named("alerts").every(Duration.ofSeconds(1)).work(context -> slots.add(context.slot()));
            var rounds = Rounds.on(leases).node("a").add(round).start();
            Await.until("a round", LIMIT, () -> !slots.isEmpty());
            var lease = leases.tryAcquire("kept").lease().orElseThrow();

            wire.become(Wire.Mode.CUT);
            Await.until("taken over", LIMIT, () -> !isHeldInTheTable("kept"));
            assertThat(lease.state()).isEqualTo(LeaseState.UNCONFIRMED);
            Await.until("told", LIMIT, () -> events.contains("unconfirmed kept"));

            int before = slots.size();
            wire.become(Wire.Mode.WHOLE);
            Await.until("held again, for nobody took it over", LIMIT, lease::isHeld);
            Await.until("rounds again", LIMIT, () -> slots.size() >= before + 2);
            assertThat(rounds.stop(LIMIT)).isEmpty();
            assertThat(slots).doesNotHaveDuplicates();
            lease.release();
        }
    }

    @Test
    void aServerThatAcceptsAndNeverAnswersBoundsEachCallAndEndsTheTrustInTime() throws Exception {
        var failing = new Failing(pool);
        try (var leases = leases(failing)) {
            var lease = leases.tryAcquire("kept", LIMIT).lease().orElseThrow();
            Duration quickest = unanswered(leases, failing);
            for (int i = 0; i < 4 && quickest.compareTo(TTL) >= 0; i++) {
                wire.become(Wire.Mode.WHOLE);
                Await.until("held again", LIMIT, lease::isHeld);
                quickest = unanswered(leases, failing);
            }
            assertThat(quickest)
                    .as("the best of several, for a busy machine may hold up any one of them")
                    .isLessThan(TTL);
            Await.until("expired", LIMIT, () -> !isHeldInTheTable("kept"));
            assertThat(lease.isHeld()).isFalse();
            wire.become(Wire.Mode.WHOLE);
            Await.until("held again", LIMIT, lease::isHeld);
            lease.release();
        }
    }

    private static Duration unanswered(Leases leases, Failing failing) {
        failing.nextIs(Wire.Mode.SILENT);
        long start = System.nanoTime();
        var thrown = assertThatExceptionOfType(LeaseException.class).isThrownBy(() -> leases.tryAcquire("sweep"));
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        return String.valueOf(thrown.actual().getMessage()).contains("no answer within") ? took : LIMIT;
    }

    @Test
    void aConnectionThatNeverComesDoesNotEndTheRenewal() throws Exception {
        var stuck = new AtomicBoolean();
        var never = new CountDownLatch(1);
        DataSource blocking = new ForwardingDataSource(pool) {
            @Override
            public Connection getConnection() throws SQLException {
                if (Thread.currentThread().getName().startsWith("leasehold-renewal")
                        && stuck.compareAndSet(false, true)) {
                    awaitWhateverComes(never);
                }
                return super.getConnection();
            }
        };
        try (var leases = leases(blocking)) {
            var lease = leases.tryAcquire("kept").lease().orElseThrow();
            Await.until("stuck", LIMIT, stuck::get);
            Instant first = leases.rows().get(0).expiresAt();
            Await.until(
                    "renewed all the same",
                    LIMIT,
                    () -> leases.rows().get(0).expiresAt().isAfter(first));
            Await.until("held", LIMIT, lease::isHeld);
            lease.release();
        } finally {
            never.countDown();
        }
    }

    /** As a socket that is being read: no interrupt ends it. */
    private static void awaitWhateverComes(CountDownLatch never) {
        while (never.getCount() > 0) {
            try {
                never.await();
            } catch (InterruptedException e) {
                // goes on
            }
        }
    }
}
