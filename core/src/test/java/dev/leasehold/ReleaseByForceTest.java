package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** An operator ends a lease that another holds. Alone, for it looks at the standard error of the process. */
@Isolated
class ReleaseByForceTest {

    private static final Duration TTL = Duration.ofSeconds(30);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Events events = new Events();
    private final List<Leases> opened = new ArrayList<>();
    private final PrintStream standardError = System.err;

    @AfterEach
    void close() {
        System.setErr(standardError);
        opened.forEach(Leases::close);
    }

    private Leases leases(Duration ttl, LeaseListener listener) {
        var leases = Leases.on(database.dataSource())
                .ttl(ttl)
                .renewEvery(ttl.dividedBy(30))
                .listener(listener)
                .build();
        opened.add(leases);
        return leases;
    }

    private Leases counted(AtomicInteger connections) {
        var leases = Leases.on(new ForwardingDataSource(database.dataSource()) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        connections.incrementAndGet();
                        return super.getConnection();
                    }
                })
                .build();
        opened.add(leases);
        return leases;
    }

    private Leases leases() {
        return leases(TTL, new LeaseListener() {});
    }

    @Test
    void theHolderIsToldThatOthersReleasedItAtItsNextRenewal() throws Exception {
        var lease = leases(TTL, events).tryAcquire("sweep").lease().orElseThrow();
        assertThat(leases().releaseByForce("sweep", "it hangs"))
                .contains(new ForcedRelease(lease.holder(), lease.fence()));
        Await.until("lost", TTL, () -> lease.state() == LeaseState.LOST);
        Await.until("told", TTL, () -> events.seen().size() == 2);
        assertThat(events.seen()).containsExactly("gained", "lost RELEASED_BY_OTHERS");
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
    }

    @Test
    void theNextHolderHasItAtOnceAndNoDeathIsCounted() {
        var hour = Duration.ofHours(1);
        var lease = leases(hour, events).tryAcquire("sweep").lease().orElseThrow();
        var operator = leases();
        operator.releaseByForce("sweep", "it hangs");
        assertThat(operator.rows())
                .singleElement()
                .satisfies(row -> assertThat(row.held()).isFalse());
        var next = operator.tryAcquire("sweep").lease().orElseThrow();
        assertThat(next.deaths()).isZero();
        assertThat(next.fence()).isGreaterThan(lease.fence());
    }

    @Test
    void theFenceOfTheEndedHolderFencesNothingThoughItStillTrustsItsLease() throws Exception {
        database.execute("create table effects (id int)");
        var lease =
                leases(Duration.ofHours(1), events).tryAcquire("sweep").lease().orElseThrow();
        leases().releaseByForce("sweep", "it hangs");
        assertThat(lease.isHeld()).as("its next renewal is far").isTrue();
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> lease.runFenced(connection -> {
                    try (var insert = connection.createStatement()) {
                        insert.execute("insert into effects values (1)");
                    }
                }));
        assertThat(database.queryForLong("select count(*) from effects")).isZero();
    }

    @Test
    void aLeaseThatHasRunOutUnreleasedIsEndedTooAndCountsNoDeath() throws Exception {
        var operator = leases();
        operator.tryAcquire("other").lease().orElseThrow().release();
        database.execute("update leases set holder = 'dead', expires_at = now() - interval '1 s'");
        assertThat(operator.releaseByForce("other", "its machine is gone"))
                .hasValueSatisfying(ended -> assertThat(ended.holder()).isEqualTo("dead"));
        assertThat(operator.tryAcquire("other").lease().orElseThrow().deaths()).isZero();
    }

    @Test
    void whatNobodyHoldsIsLeftAsItIsAndAnswersNothing() throws Exception {
        var operator = leases();
        assertThat(operator.releaseByForce("never heard of", "x")).isEmpty();
        assertThat(operator.rows()).isEmpty();
        operator.tryAcquire("free").lease().orElseThrow().release();
        assertThat(operator.releaseByForce("free", "x")).isEmpty();
        operator.tryAcquire("resting").lease().orElseThrow().releaseToRest(Duration.ofMinutes(5));
        assertThat(operator.releaseByForce("resting", "x")).isEmpty();
        assertThat(operator.tryAcquire("resting").lease())
                .as("the rest goes on")
                .isEmpty();
    }

    @Test
    void aRoundsSlotStaysAsItWas() throws Exception {
        var leases = leases(Duration.ofHours(1), events);
        assertThat(leases.tryAcquireSlot("sweep", Schedule.every(Duration.ofHours(1)))
                        .lease())
                .isPresent();
        leases.releaseByForce("sweep", "it hangs");
        assertThat(leases.tryAcquireSlot("sweep", Schedule.every(Duration.ofHours(1)))
                        .lease())
                .as("still due")
                .isPresent();
    }

    @Test
    void itWaitsForALockedRowButNotForEver() throws Exception {
        var lease =
                leases(Duration.ofHours(1), events).tryAcquire("sweep").lease().orElseThrow();
        var looks = new AtomicInteger();
        var operator = counted(looks);
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            lease.fence(other);
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> operator.releaseByForce("sweep", "x"))
                    .withMessageContaining("lease sweep could not be released by force")
                    .withMessageContaining("locked");
            looks.set(0);
            var waiting = CompletableFuture.supplyAsync(() -> operator.releaseByForce("sweep", "x"));
            Await.until("it found the row locked", Duration.ofSeconds(20), () -> looks.get() >= 3 || waiting.isDone());
            other.commit();
            assertThat(waiting.get(20, TimeUnit.SECONDS)).isPresent();
        }
    }

    @Test
    void whoeverFollowsOnALockedRowIsNotEndedInItsPlace() throws Exception {
        var unused =
                leases(Duration.ofHours(1), events).tryAcquire("sweep").lease().orElseThrow();
        var looks = new AtomicInteger();
        var operator = counted(looks);
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("update leases set holder = 'next', fence = fence + 1");
            looks.set(0);
            var waiting = CompletableFuture.supplyAsync(() -> operator.releaseByForce("sweep", "x"));
            Await.until("it found the row locked", Duration.ofSeconds(20), () -> looks.get() >= 3 || waiting.isDone());
            other.commit();
            assertThat(waiting.get(20, TimeUnit.SECONDS)).isEmpty();
        }
        assertThat(database.queryForLong("select count(*) from leases where holder = 'next' and expires_at > now()"))
                .isEqualTo(1);
    }

    @Test
    void anAcquisitionThatWasSeenIsEndedAndNoneThatFollowsIt() {
        var hour = Duration.ofHours(1);
        var holder = leases(hour, events);
        var seen = holder.tryAcquire("sweep").lease().orElseThrow();
        seen.release();
        var next = holder.tryAcquire("sweep").lease().orElseThrow();
        var operator = leases();
        assertThat(operator.releaseByForce("sweep", seen.fence(), "it hangs")).isEmpty();
        assertThat(operator.tryAcquire("sweep").lease()).as("held still").isEmpty();
        assertThat(operator.releaseByForce("sweep", next.fence(), "it hangs"))
                .contains(new ForcedRelease(next.holder(), next.fence()));
        assertThat(operator.tryAcquire("sweep").lease()).isPresent();
    }

    @Test
    void whoFollowsTheOneThatWasSeenWhileItsRowIsLockedGoesOn() throws Exception {
        var seen =
                leases(Duration.ofHours(1), events).tryAcquire("sweep").lease().orElseThrow();
        var looks = new AtomicInteger();
        var operator = counted(looks);
        try (var other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("update leases set holder = 'next', fence = fence + 1");
            looks.set(0);
            var waiting = CompletableFuture.supplyAsync(() -> operator.releaseByForce("sweep", seen.fence(), "x"));
            Await.until("it found the row locked", Duration.ofSeconds(20), () -> looks.get() >= 3 || waiting.isDone());
            other.commit();
            assertThat(waiting.get(20, TimeUnit.SECONDS)).isEmpty();
        }
        assertThat(database.queryForLong("select count(*) from leases where holder = 'next' and expires_at > now()"))
                .isEqualTo(1);
    }

    @Test
    void theLogTellsWhoWasEndedAndWhyInOneLine() {
        var log = new ByteArrayOutputStream();
        var lease = leases().tryAcquire("sweep").lease().orElseThrow();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        leases().releaseByForce("sweep", "it hangs\nERROR\u0085all\u2028is\u2029lost");
        System.setErr(standardError);
        assertThat(log.toString(StandardCharsets.UTF_8).lines())
                .anySatisfy(line -> assertThat(line)
                        .contains("WARN")
                        .contains("lease sweep of " + lease.holder() + " (fence " + lease.fence() + ")")
                        .endsWith("is released by force: it hangs ERROR all is lost"));
    }

    @Test
    void wrongReasonsAndNamesAreRefused() {
        var operator = leases();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> operator.releaseByForce("sweep", " "))
                .withMessageContaining("the reason of a forced release")
                .withMessageContaining("1 to 500");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> operator.releaseByForce("sweep", "x".repeat(10_000)))
                .satisfies(refused -> assertThat(refused.getMessage()).hasSizeLessThan(300));
        assertThatIllegalArgumentException().isThrownBy(() -> operator.releaseByForce("", "x"));
    }
}
