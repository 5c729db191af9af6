package dev.leasehold.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.LeaseException;
import dev.leasehold.Leases;
import dev.leasehold.LossReason;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is counted and timed about real leases. */
class LeaseMetersTest {

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final BreakableDataSource source = new BreakableDataSource(database.dataSource());
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LeaseholdMeters meters = new LeaseholdMeters(registry);
    private final Leases leases =
            Leases.on(source).renewEvery(Duration.ofMillis(100)).metrics(meters).build();
    private final Leases others = Leases.on(database.dataSource()).build();

    @AfterEach
    void close() {
        leases.close();
        others.close();
    }

    private double count(String name) {
        return registry.get("leasehold.leases." + name).counter().count();
    }

    private double lost(String reason) {
        return registry.get("leasehold.leases.lost")
                .tag("reason", reason)
                .counter()
                .count();
    }

    @Test
    void everyCounterIsThereAtZeroBeforeTheFirstEvent() {
        assertThat(registry.getMeters()).as("one of losses for each reason").hasSize(8 + LossReason.values().length);
        assertThat(registry.getMeters())
                .allSatisfy(meter -> assertThat(meter.measure())
                        .allSatisfy(measurement ->
                                assertThat(measurement.getValue()).isZero()));
    }

    @Test
    void gainedRefusedAndReleasedLeasesAreCountedOnceEach() {
        leases.tryAcquire("a").lease().orElseThrow().release();
        var second = leases.tryAcquire("b").lease().orElseThrow();
        var theirs = others.tryAcquire("c").lease().orElseThrow();
        assertThat(leases.tryAcquire("c").lease()).isEmpty();
        second.release();
        second.release();
        theirs.release();
        assertThat(count("gained")).isEqualTo(2);
        assertThat(count("refused")).isEqualTo(1);
        assertThat(count("released")).isEqualTo(2);
        assertThat(count("taken.over")).isZero();
        assertThat(count("attempts.failed")).isZero();
    }

    @Test
    void aLeaseOfADeadHolderIsGainedAndTakenOver() throws Exception {
        database.execute("insert into leases (name, holder, expires_at) values ('a', 'dead', now() - interval '1 s')");
        leases.tryAcquire("a").lease().orElseThrow().release();
        leases.tryAcquire("a").lease().orElseThrow().release();
        assertThat(count("gained")).isEqualTo(2);
        assertThat(count("taken.over")).isEqualTo(1);
    }

    @Test
    void eachLossIsCountedOnceUnderItsReason() throws Exception {
        for (String name : new String[] {"a", "b", "c", "d"}) {
            assertThat(leases.tryAcquire(name).lease()).isPresent();
        }
        database.execute("delete from leases where name = 'a'");
        database.execute("update leases set holder = 'other', fence = fence + 1 where name = 'b'");
        database.execute("update leases set expires_at = 'epoch' where name in ('c', 'd')");
        Await.until("four losses", () -> leases.held().isEmpty());
        leases.close(); // and with it the renewal that tells of them
        assertThat(lost("deleted")).isEqualTo(1);
        assertThat(lost("taken_over")).isEqualTo(1);
        assertThat(lost("released_by_others")).isEqualTo(2);
        assertThat(count("released")).isZero();
    }

    @Test
    void renewedLeasesAndTheStatementsThatRenewThemAreDifferentMeters() {
        meters.renewed(10, Duration.ofMillis(20));
        meters.renewed(5, Duration.ofMillis(40));
        var renewal = registry.get("leasehold.leases.renewal").timer();
        assertThat(count("renewed")).isEqualTo(15);
        assertThat(renewal.count()).isEqualTo(2);
        assertThat(renewal.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(60);
    }

    @Test
    void renewalsAreTimedAndFailedOnesApart() throws Exception {
        var renewal = registry.get("leasehold.leases.renewal").timer();
        var failed = registry.get("leasehold.leases.renewal.failed").timer();
        assertThat(leases.tryAcquire("a").lease()).isPresent();
        Await.until("renewals", () -> renewal.count() > 1);
        assertThat(count("renewed")).isGreaterThan(1);
        assertThat(renewal.totalTime(TimeUnit.NANOSECONDS)).isPositive();
        assertThat(failed.count()).isZero();
        source.broken(true);
        Await.until("a failure", () -> failed.count() > 0);
        double renewed = count("renewed");
        Await.until("more failures", () -> failed.count() > 2);
        assertThat(count("renewed")).isEqualTo(renewed);
        source.broken(false);
        Await.until("renewals again", () -> count("renewed") > renewed);
    }

    @Test
    void anAttemptWithoutAnAnswerIsAFailedOneAndNoRefusal() {
        source.broken(true);
        assertThatExceptionOfType(LeaseException.class).isThrownBy(() -> leases.tryAcquire("a"));
        assertThat(count("attempts.failed")).isEqualTo(1);
        assertThat(count("refused")).isZero();
    }

    @Test
    void namesOfLeasesMakeNoMoreMeters() {
        int before = registry.getMeters().size();
        for (int order = 0; order < 5; order++) {
            leases.tryAcquire("order-" + order).lease().orElseThrow().release();
            meters.lost("order-" + order, LossReason.DELETED);
        }
        assertThat(registry.getMeters()).hasSize(before);
        assertThat(lost("deleted")).isEqualTo(5);
    }
}
