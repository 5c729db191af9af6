package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Acquisition;
import dev.leasehold.Await;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.Schedule;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A row that rests until its next try is nobody's: what an operator may do with it, and what is told of it. */
class RestsTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofDays(300);
    private static final Duration REST = Duration.ofMinutes(30);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Instances instances = new Instances(database);
    private final AtomicBoolean fails = new AtomicBoolean(true);

    @AfterEach
    void close() {
        instances.close();
    }

    private Round round() {
        return Round.named("sweep").every(LONG).retryAfter(REST).work(context -> {
            if (fails.get()) {
                throw new IllegalStateException("broken");
            }
        });
    }

    private long fence() throws Exception {
        return database.queryForLong("select fence from leases");
    }

    @Test
    void anExtraRunIsBegunWhileAFailedSlotRestsAndLeavesItDue() throws Exception {
        ManualRounds rounds = instances.byHand(instances.leases(), round());
        assertThat(rounds.pass("sweep")).isPresent();
        assertThat(rounds.pass("sweep")).as("it rests").isEmpty();
        long before = fence();
        fails.set(false);
        ManualRounds other = instances.byHand(instances.leases(), round());
        assertThat(other.runNow("sweep")).hasValueSatisfying(run -> {
            assertThat(run.outcome()).isEqualTo(RoundOutcome.DONE);
            assertThat(run.extra()).isTrue();
            assertThat(run.counted()).isFalse();
            assertThat(run.fence()).isGreaterThan(before);
        });
        assertThat(instances.counted()).as("not by an extra run").isZero();
        assertThat(rounds.pass("sweep"))
                .as("the next try")
                .hasValueSatisfying(run -> assertThat(run.counted()).isTrue());
    }

    @Test
    void anExtraRunThroughARestFindsNoDeadHolder() throws Exception {
        Round round = Round.named("sweep").every(LONG).retryAfter(REST).work(context -> {
            assertThat(context.previousDied()).isFalse();
            throw new IllegalStateException("broken");
        });
        ManualRounds rounds = instances.byHand(instances.leases(), round);
        rounds.pass("sweep");
        assertThat(rounds.runNow("sweep"))
                .hasValueSatisfying(run -> assertThat(run.error().orElseThrow()).endsWith("broken"));
        assertThat(database.queryForLong("select deaths from leases")).isZero();
    }

    @Test
    void aPausedRoundThatRestsIsPausedForExtraRunsToo() {
        Leases leases = instances.leases();
        ManualRounds rounds = instances.byHand(leases, round());
        rounds.pass("sweep");
        leases.pause("sweep", "enough");
        assertThat(rounds.runNow("sweep")).isEmpty();
    }

    /** Extra runs are a round's own affair. */
    @Test
    void aRestKeepsEverybodyElseAway() {
        Leases leases = instances.leases();
        assertThat(leases.tryAcquireSlot("sweep", Schedule.every(LONG)).lease())
                .hasValueSatisfying(lease -> lease.releaseToRest(REST));
        assertThat(leases.tryAcquire("sweep")).isInstanceOf(Acquisition.Busy.class);
        assertThat(instances.leases().tryAcquireSlot("sweep", Schedule.every(LONG)))
                .isInstanceOf(Acquisition.Busy.class);
        assertThat(leases.tryAcquire("plain").lease()).hasValueSatisfying(lease -> lease.releaseToRest(REST));
        assertThat(leases.tryAcquire("plain")).isInstanceOf(Acquisition.Busy.class);
    }

    /** Nobody may take what another holds, whatever it is asked for. */
    @Test
    void aHeldLeaseIsNoRest() throws Exception {
        Leases leases = instances.leases();
        Lease held = leases.tryAcquire("sweep").lease().orElseThrow();
        assertThat(instances.byHand(instances.leases(), round()).runNow("sweep"))
                .isEmpty();
        assertThat(held.isHeld()).isTrue();
    }

    private static Duration untilDue(RoundStatus status) {
        return Duration.between(Instant.now(), status.nextDue().orElseThrow());
    }

    @Test
    void whatRestsIsExpectedAtItsNextTryByWhoeverLooks() {
        ManualRounds rounds = instances.byHand(instances.leases(), round());
        ManualRounds other = instances.byHand(instances.leases(), round());
        rounds.pass("sweep");
        assertThat(untilDue(rounds.status().get(0))).isBetween(REST.minus(LIMIT), REST);
        other.pass("sweep");
        assertThat(untilDue(other.status().get(0))).isBetween(REST.minus(LIMIT), REST);
    }

    @Test
    void whatIsHeldIsExpectedAtItsNextSlot() throws Exception {
        Leases leases = instances.leases();
        ManualRounds rounds = instances.byHand(leases, round());
        assertThat(leases.tryAcquire("sweep").lease()).isPresent();
        Await.until("a look", LIMIT, () -> rounds.pass("sweep").isEmpty());
        assertThat(untilDue(rounds.status().get(0))).isGreaterThan(REST);
    }

    /** Set back by an hour: all that was written lies an hour later then. */
    @Test
    void aRestThatWasBegunInTheFutureKeepsNobodyAway() throws Exception {
        ManualRounds rounds = instances.byHand(instances.leases(), round());
        assertThat(rounds.pass("sweep")).isPresent();
        assertThat(rounds.pass("sweep")).as("it rests").isEmpty();
        database.execute("update leases"
                + " set taken_at = taken_at + interval '1 hour', expires_at = expires_at + interval '1 hour'");
        fails.set(false);
        assertThat(instances.byHand(instances.leases(), round()).pass("sweep"))
                .hasValueSatisfying(run -> assertThat(run.counted()).isTrue());
    }
}
