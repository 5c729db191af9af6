package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.leasehold.internal.TableName;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Leases that end at a limit, though their holder lives. */
class LimitedLeasesTest {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Duration SHORT = Duration.ofSeconds(4);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final TestDatabase database = TestPostgres.freshDatabase();

    private Leases leases(Duration ttl) {
        return Leases.on(database.dataSource()).ttl(ttl).build();
    }

    private long millisSinceTaken(String column) throws SQLException {
        return database.queryForLong(
                "select (extract(epoch from %s - taken_at) * 1000)::bigint from leases where name = 'job'"
                        .formatted(column));
    }

    private long takenMicros() throws SQLException {
        return database.queryForLong("select (extract(epoch from taken_at) * 1000000)::bigint from leases");
    }

    private static Lease limited(Leases leases, Duration limit) {
        return leases.tryAcquire(LeaseRequest.named("job").limit(limit)).lease().orElseThrow();
    }

    private static void awaitFree(Leases others) throws Exception {
        Await.until("free", PATIENCE, () -> others.tryAcquire("job").lease().isPresent());
    }

    @Test
    void itIsRenewedUntilItsLimitAndNotBeyond() throws Exception {
        var limit = SHORT.plusSeconds(1);
        try (var leases = leases(SHORT);
                var others = leases(LONG)) {
            var lease = limited(leases, limit);
            long taken = takenMicros();
            Await.until("taken over", PATIENCE, () -> {
                boolean free = others.tryAcquire("job").lease().isPresent();
                assertThat(free && lease.isHeld()).as("held by both").isFalse();
                assertThat(free ? 0 : millisSinceTaken("expires_at")).isLessThanOrEqualTo(limit.toMillis());
                return free;
            });
            assertThat(takenMicros() - taken).isGreaterThanOrEqualTo(Micros.of(limit));
            Await.until("it is told", PATIENCE, () -> lease.state() == LeaseState.LOST);
        }
    }

    @Test
    void ofLessThanATtlItIsNotRenewedAtAll() throws Exception {
        try (var leases = leases(LONG);
                var others = leases(LONG)) {
            var lease = limited(leases, Duration.ofMillis(300));
            assertThat(millisSinceTaken("expires_at")).isEqualTo(300);
            assertThat(lease.timeLeft()).isLessThanOrEqualTo(Duration.ofMillis(275));
            awaitFree(others);
            assertThat(lease.isHeld()).isFalse();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
            assertThat(others.tryAcquire("job").lease()).as("it freed nobody's").isEmpty();
        }
    }

    @Test
    void whatNobodyHasTakenOverIsReleasedAfterTheLimitToo() throws Exception {
        try (var leases = leases(LONG)) {
            var lease = limited(leases, Duration.ofMillis(50));
            Await.until("past the limit", PATIENCE, () -> millisSinceTaken("clock_timestamp()") > 50);
            assertThat(lease.state()).isEqualTo(LeaseState.UNCONFIRMED);
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(leases.tryAcquire("job").lease().orElseThrow().deaths()).isZero();
        }
    }

    @Test
    void aNewLimitCountsFromNow() throws Exception {
        try (var leases = leases(LONG);
                var others = leases(LONG)) {
            var lease = limited(leases, Duration.ofSeconds(30));
            assertThat(lease.extend(Duration.ofHours(1))).isTrue();
            assertThat(millisSinceTaken("expires_at")).isBetween(LONG.toMillis(), LONG.toMillis() + 20_000);
            assertThat(lease.timeLeft()).isBetween(Duration.ofSeconds(90), Duration.ofSeconds(110));
            assertThat(lease.extend(Duration.ofMillis(300))).as("shorter").isTrue();
            assertThat(lease.timeLeft()).isLessThanOrEqualTo(Duration.ofMillis(275));
            awaitFree(others);
        }
    }

    @Test
    void anExtendedLeaseIsRenewedUntilItsNewLimit() throws Exception {
        var newLimit = SHORT.plusSeconds(1);
        try (var leases = leases(SHORT);
                var others = leases(LONG)) {
            var lease = limited(leases, SHORT.minusMillis(500));
            long taken = takenMicros();
            assertThat(lease.extend(newLimit)).isTrue();
            awaitFree(others);
            assertThat(takenMicros() - taken).isGreaterThanOrEqualTo(Micros.of(newLimit));
        }
    }

    @Test
    void pastItsLimitItIsNotExtendedThoughNobodyHasTakenItOver() throws Exception {
        try (var leases = leases(LONG)) {
            var lease = limited(leases, Duration.ofMillis(2));
            Await.until("past the limit", PATIENCE, () -> millisSinceTaken("clock_timestamp()") > 2);
            assertThat(lease.extend(LONG)).isFalse();
            assertThat(lease.isHeld()).isFalse();
            assertThat(leases.tryAcquire("job").lease()).isPresent();
        }
    }

    @Test
    void aReleasedOrLostLeaseIsNotExtended() throws Exception {
        try (var leases = leases(LONG)) {
            var released = limited(leases, LONG);
            released.release();
            assertThat(released.extend(LONG)).isFalse();
            var lost = limited(leases, LONG);
            database.execute("delete from leases");
            assertThat(lost.extend(LONG)).isFalse();
        }
    }

    /** An older renewal may land late; what was granted by the extension stays. */
    @Test
    void aRenewalWithAnOlderLimitTakesNothingFromAnExtension() throws Exception {
        try (var leases = leases(LONG)) {
            var lease = limited(leases, Duration.ofSeconds(30));
            var older = lease.limit().orElseThrow();
            assertThat(lease.extend(Duration.ofSeconds(60))).isTrue();
            long granted = millisSinceTaken("expires_at");
            var table =
                    new LeaseTable(new Statements(database.dataSource()), TableName.of(LeasesBuilder.DEFAULT_TABLE));
            try (var lane = new Lane("late", 1)) {
                assertThat(table.renew(
                                lane, Map.of(lease.key(), LONG), Map.of(lease.key(), older), Duration.ofSeconds(5)))
                        .hasSize(1);
            }
            assertThat(millisSinceTaken("expires_at")).isEqualTo(granted);
        }
    }

    @Test
    void othersOfTheSameRenewalHaveNoLimit() throws Exception {
        try (var leases = leases(SHORT);
                var others = leases(LONG)) {
            var limited = limited(leases, Duration.ofMillis(1500));
            var other = leases.tryAcquire("other").lease().orElseThrow();
            awaitFree(others);
            assertThat(limited.isHeld()).isFalse();
            assertThat(other.isHeld()).isTrue();
            assertThat(others.tryAcquire("other").lease()).isEmpty();
        }
    }

    @Test
    void standingInLineForALockedRowEndsAtTheLimitToo() throws Exception {
        var limit = SHORT.plus(SHORT.dividedBy(2)).minusMillis(100);
        try (var leases = leases(SHORT);
                var foreign = database.connect()) {
            var lease = limited(leases, limit);
            foreign.setAutoCommit(false);
            try (var statement = foreign.createStatement()) {
                statement.execute("select from leases for no key update");
            }
            Await.until(
                    "it stands in line",
                    PATIENCE,
                    () -> database.queryForLong("select count(*) from pg_stat_activity"
                                    + " where datname = current_database() and wait_event_type = 'Lock'")
                            > 0);
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> lease.extend(LONG))
                    .withMessageContaining("need not be lost");
            foreign.rollback();
            Await.until("renewed", PATIENCE, () -> millisSinceTaken("expires_at") > SHORT.toMillis());
            assertThat(millisSinceTaken("expires_at")).isLessThanOrEqualTo(limit.toMillis());
            assertThat(lease.state()).isNotEqualTo(LeaseState.LOST);
        }
    }

    @Test
    void withATtlOfItsOwnItLastsThatLongUnlessItsLimitIsLess() throws Exception {
        try (var leases = leases(LONG)) {
            var minute = LeaseRequest.named("job").ttl(Duration.ofMinutes(1));
            try (var lease = leases.tryAcquire(minute.limit(Duration.ofMinutes(5)), Duration.ZERO)
                    .lease()
                    .orElseThrow()) {
                assertThat(millisSinceTaken("expires_at")).isEqualTo(60_000);
                assertThat(lease.limit().orElseThrow().sinceAcquired()).isEqualTo(Duration.ofMinutes(5));
            }
            var ran = leases.tryRun(minute.limit(Duration.ofSeconds(30)), LossPolicy.INTERRUPT, lease -> {
                assertThat(millisSinceTaken("expires_at")).isEqualTo(30_000);
                assertThat(lease.timeLeft()).isLessThan(Duration.ofSeconds(30));
            });
            assertThat(ran).isTrue();
        }
    }

    @Test
    void requestsAreValues() {
        var request = LeaseRequest.named("job").limit(SHORT).ttl(LONG);
        assertThat(request)
                .isEqualTo(LeaseRequest.named("job").ttl(LONG).limit(SHORT))
                .hasSameHashCodeAs(LeaseRequest.named("job").ttl(LONG).limit(SHORT))
                .isNotEqualTo(LeaseRequest.named("job").ttl(LONG))
                .hasToString("LeaseRequest[job, ttl PT2M, limit PT4S]");
        assertThat(request.ttl()).contains(LONG);
        assertThat(request.limit()).contains(SHORT);
    }

    @Test
    void nonsenseIsRefused() throws Exception {
        try (var leases = leases(LONG)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LeaseRequest.named("job").limit(Duration.ZERO))
                    .withMessageContaining("limit is PT0S");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LeaseRequest.named("job").limit(Duration.ofDays(36_501)));
            var plain = leases.tryAcquire("job").lease().orElseThrow();
            assertThatIllegalStateException()
                    .isThrownBy(() -> plain.extend(LONG))
                    .withMessageContaining("job");
        }
    }
}
