package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.Wire;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An acquire that fails on the wire, at each place where it can, and answers that come late. */
class UnansweredAcquireTest {

    /** Its bound is 3.7 s. */
    private static final Duration LONG = Duration.ofSeconds(8);
    /** Its bound is 0.9 s. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private static final Duration SECONDS = Duration.ofSeconds(30);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Wire wire = Wire.to(database);
    private final HikariDataSource pool = pool();

    private HikariDataSource pool() {
        var config = new HikariConfig();
        // a URL of the pool's own would make its timeout that of all connections of the JVM
        config.setDataSource(TestDatabase.dataSource(wire.jdbcUrl(database) + "&loginTimeout=1"));
        config.setMaximumPoolSize(3);
        config.setConnectionTimeout(1000);
        return new HikariDataSource(config);
    }

    @AfterEach
    void close() {
        pool.close();
        wire.close();
    }

    private boolean isFree(String name) throws Exception {
        return database.queryForLong(
                        "select count(*) from leases where expires_at >= clock_timestamp() and name = '" + name + "'")
                == 0;
    }

    private long rows(String name) throws Exception {
        return database.queryForLong("select count(*) from leases where name = '" + name + "'");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HELD")
    void itIsNeverBelievedHeldAndTheNameIsFreeAgainWithinSeconds(Wire.Fault fault) throws Exception {
        try (var leases = Leases.on(pool).ttl(LONG).build();
                var contender = Leases.on(database.dataSource()).build()) {
            wire.failNext("sweep", fault);
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> leases.tryAcquire("sweep"))
                    .withMessageContaining("lease sweep could not be acquired");
            assertThat(wire.hasFailed()).isTrue();
            Await.until("free again", SECONDS, () -> isFree("sweep"));
            var next = contender.tryAcquire("sweep").lease().orElseThrow();
            assertThat(next.deaths()).as("it was given back, and did not die").isZero();
            assertThat(leases.tryAcquire("sweep"))
                    .isInstanceOfSatisfying(
                            Acquisition.Busy.class,
                            busy -> assertThat(busy.holder()).contains(next.holder()));
        }
    }

    @Test
    void whenItWasAppliedAndTheAnswerTornTheServerHadGivenItAway() throws Exception {
        try (var leases = Leases.on(pool).ttl(LONG).build()) {
            for (var fault : new Wire.Fault[] {Wire.Fault.CUT_AFTER_APPLY, Wire.Fault.CUT_IN_MID_REPLY}) {
                wire.failNext(fault.name(), fault);
                assertThatExceptionOfType(LeaseException.class).isThrownBy(() -> leases.tryAcquire(fault.name()));
                assertThat(rows(fault.name())).isEqualTo(1);
            }
            wire.failNext("never sent", Wire.Fault.CUT_BEFORE_SEND);
            assertThatExceptionOfType(LeaseException.class).isThrownBy(() -> leases.tryAcquire("never sent"));
            assertThat(rows("never sent")).isZero();
        }
    }

    @Test
    void oneThatLandsAfterItsCancelIsReleasedSoonWhileItsReleaseIsStillRepeated() throws Exception {
        try (var leases = Leases.on(pool).ttl(LONG).build()) {
            wire.failNext("sweep", Wire.Fault.HELD);
            assertThatExceptionOfType(LeaseException.class).isThrownBy(() -> leases.tryAcquire("sweep"));
            assertThat(rows("sweep")).as("still on its way").isZero();
            wire.letGo();
            Await.until("landed", SECONDS, () -> rows("sweep") == 1);
            Await.until("free again", SECONDS, () -> isFree("sweep"));
            assertThat(database.queryForLong("select count(*) from leases where expires_at = 'epoch'"))
                    .as("released, not run out")
                    .isEqualTo(1);
        }
    }

    @Test
    void oneThatLandsWhenNobodyThinksOfItAnyMoreIsNeverRenewedAndRunsOutWithinOneLease() throws Exception {
        var last = new AtomicLong(System.nanoTime());
        var watched = new ForwardingDataSource(pool) {
            @Override
            public Connection getConnection() throws SQLException {
                last.set(System.nanoTime());
                return super.getConnection();
            }
        };
        try (var leases = Leases.on(watched).ttl(SHORT).build()) {
            wire.failNext("sweep", Wire.Fault.HELD);
            assertThatExceptionOfType(LeaseException.class).isThrownBy(() -> leases.tryAcquire("sweep"));
            Await.until(
                    "its release is not repeated any more, for pauses are of two seconds at most",
                    SECONDS,
                    () -> System.nanoTime() - last.get() > TimeUnit.SECONDS.toNanos(4));
            wire.letGo();
            Await.until("landed", SECONDS, () -> rows("sweep") == 1);
            String expiry = database.queryForString("select expires_at from leases where name = 'sweep'");
            Await.until("free again", SECONDS, () -> isFree("sweep"));
            assertThat(database.queryForString("select expires_at from leases where name = 'sweep'"))
                    .as("neither renewed nor released: it ran out")
                    .isEqualTo(expiry);
            assertThat(leases.tryAcquire("sweep", SECONDS).lease()).isPresent();
        }
    }

    /**
     * The answers come late, but in time to count. A deadline counted from the answer would end well after the row's expiry,
     * which counts from the renewal.
     */
    @Test
    void slowSuccessfulRenewalsStretchNoTrust() throws Exception {
        var ttl = Duration.ofSeconds(6);
        try (var leases = Leases.on(pool).ttl(ttl).renewEvery(ttl.dividedBy(3)).build();
                var contender = Leases.on(database.dataSource()).build()) {
            wire.delayAnswersTo("kept", ttl.dividedBy(4));
            var lease = leases.tryAcquire("kept", SECONDS).lease().orElseThrow();
            var last = new AtomicReference<>(lease.timeLeft());
            Await.until("a renewal is answered", SECONDS, () -> {
                Duration left = lease.timeLeft();
                return left.compareTo(last.getAndSet(left)) > 0;
            });
            // The next one is not sent yet.
            wire.become(Wire.Mode.SILENT);
            assertNobodyElseAcquiresWhatIsHeld(lease, contender);
        }
    }

    /** The answers come too late to count: the lease is renewed in the table, and nobody knows. */
    @Test
    void renewalsAnsweredAfterMostOfTheLeaseEndTheTrustBeforeAnybodyElseCanAcquire() throws Exception {
        var ttl = Duration.ofSeconds(3);
        try (var leases = Leases.on(pool).ttl(ttl).build();
                var contender = Leases.on(database.dataSource()).build()) {
            var lease = leases.tryAcquire("kept", SECONDS).lease().orElseThrow();
            wire.delayAnswersTo("kept", ttl.multipliedBy(4).dividedBy(5));
            Await.until("no longer held", SECONDS, () -> !lease.isHeld());
            assertThat(database.queryForLong(
                            "select count(*) from leases where expires_at > taken_at + interval '" + ttl + "'"))
                    .as("the table has later renewals")
                    .isEqualTo(1);
            wire.become(Wire.Mode.SILENT);
            assertNobodyElseAcquiresWhatIsHeld(lease, contender);
        }
    }

    private static void assertNobodyElseAcquiresWhatIsHeld(Lease lease, Leases contender) throws Exception {
        Await.until("taken over", SECONDS, () -> {
            boolean taken = contender.tryAcquire("kept").lease().isPresent();
            assertThat(taken && lease.isHeld()).as("two trust it").isFalse();
            return taken;
        });
    }

    /** A slot that counts when it is acquired stays counted: who asked does not know that it has it, nor what was counted before. */
    @ParameterizedTest
    @EnumSource(
            value = Stamp.class,
            names = {"AT_END", "AT_ACQUIRE"})
    void aSlotWhoseAcquisitionWasNotAnsweredIsGivenBackUncountedUnlessItCountsAtOnce(Stamp stamp) throws Exception {
        var request = new SlotRequest("sweep", Schedule.every(Duration.ofDays(300)), stamp);
        try (var leases = Leases.on(pool).ttl(LONG).build();
                var contender = Leases.on(database.dataSource()).build()) {
            try (var dead = Leases.on(database.dataSource()).build()) {
                assertThat(dead.tryAcquireSlot("sweep", request.schedule()).lease())
                        .isPresent();
            }
            database.execute("update leases set expires_at = clock_timestamp() - interval '1 second'");
            wire.failNext("sweep", Wire.Fault.CUT_AFTER_APPLY);
            assertThatExceptionOfType(LeaseException.class).isThrownBy(() -> leases.tryAcquireSlot(request));
            assertThat(wire.hasFailed()).isTrue();
            Await.until(
                    "given back",
                    SECONDS,
                    () -> database.queryForLong("select count(*) from leases where expires_at = 'epoch'") == 1);
            Acquisition next = contender.tryAcquireSlot(request);
            if (stamp == Stamp.AT_ACQUIRE) {
                assertThat(next).isInstanceOf(Acquisition.NotDue.class);
            } else {
                assertThat(next.lease())
                        .hasValueSatisfying(lease -> assertThat(lease.deaths())
                                .as("nothing was begun, so the death before is not over")
                                .isEqualTo(1));
            }
        }
    }
}
