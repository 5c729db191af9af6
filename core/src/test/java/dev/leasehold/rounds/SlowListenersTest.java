package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Await;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Slots that come after the lease of a run was released, while its listeners keep this instance. */
class SlowListenersTest {

    private static final Duration PERIOD = Duration.ofMillis(400);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Instances instances = new Instances(database);
    private final List<RoundRun> ended = new ArrayList<>();

    @AfterEach
    void close() {
        instances.close();
    }

    private static Round quick() {
        return Round.named("quick").every(PERIOD).work(context -> {});
    }

    /** Whose listener is busy after the first run until that is true. */
    private ManualRounds busyUntil(Callable<Boolean> condition) {
        var listener = new RoundListener() {
            @Override
            public void ended(RoundRun run) {
                ended.add(run);
                if (ended.size() > 1) {
                    return;
                }
                try {
                    Await.until("busy", LIMIT, condition);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        return instances.byHand(instances.leases(), builder -> builder.listener(listener), quick());
    }

    private void runTwice(ManualRounds rounds) throws Exception {
        Await.until("two runs", LIMIT, () -> {
            var unused = rounds.pass("quick");
            return ended.size() == 2;
        });
    }

    private Instant slot(int run) {
        return ended.get(run).slot().orElseThrow();
    }

    private long slotsBetweenTheTwo() {
        return Duration.between(slot(0), slot(1)).dividedBy(PERIOD) - 1;
    }

    /** None, unless the machine stood still then: they are skipped too. */
    private long slotsDuringTheSecond() {
        RoundRun second = ended.get(1);
        return second.lateness().plus(second.duration()).dividedBy(PERIOD);
    }

    @Test
    void theyAreSkippedIfNobodyElseHasRunThem() throws Exception {
        var busySince = new AtomicLong();
        var rounds = busyUntil(() -> {
            busySince.compareAndSet(0, System.nanoTime());
            return System.nanoTime() - busySince.get() > PERIOD.multipliedBy(4).toNanos();
        });
        runTwice(rounds);
        assertThat(rounds.status().get(0).skippedSlots())
                .as("the last of them may be the next one's")
                .isBetween(3L, slotsBetweenTheTwo() + slotsDuringTheSecond());
    }

    @Test
    void theyAreNotSkippedIfAnotherInstanceHasRunThem() throws Exception {
        ManualRounds other = instances.byHand(instances.leases(), quick());
        var others = new ArrayList<RoundRun>();
        var rounds = busyUntil(() -> {
            other.pass("quick").ifPresent(others::add);
            return others.size() == 4;
        });
        runTwice(rounds);
        assertThat(rounds.status().get(0).skippedSlots())
                .isBetween(0L, slotsBetweenTheTwo() - others.size() + slotsDuringTheSecond());
    }
}
