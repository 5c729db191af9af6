package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A round whose runs do not succeed is not well. */
class TroubleTest {

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Instances instances = new Instances(database);
    private volatile RoundWork work = context -> {
        throw new IllegalStateException("a password, perhaps: secret");
    };
    private final ManualRounds rounds = instances.byHand(
            instances.leases(), Round.named("sweep").every(Duration.ofHours(1)).work(context -> work.run(context)));

    @AfterEach
    void close() {
        instances.close();
    }

    private RoundStatus status() {
        return rounds.status().get(0);
    }

    @Test
    void threeRunsThatFailInARowAreTroubleUntilOneIsDone() {
        rounds.passDue("sweep");
        rounds.passDue("sweep");
        assertThat(status().isHealthy()).isTrue();
        rounds.passDue("sweep");
        assertThat(status().alive()).as("its loop is well").isTrue();
        assertThat(status().trouble()).contains("its last 3 runs here failed: java.lang.IllegalStateException");
        var during = new CopyOnWriteArrayList<RoundStatus>();
        work = context -> {
            during.add(status());
            throw new StackOverflowError();
        };
        rounds.passDue("sweep");
        assertThat(during.get(0).isHealthy()).as("not cured by one that runs").isFalse();
        assertThat(status().trouble()).contains("its last 4 runs here failed: java.lang.StackOverflowError");
        work = context -> {};
        rounds.passDue("sweep");
        assertThat(status().isHealthy()).isTrue();
    }

    @Test
    void runsThatLoseTheirLeaseAreTroubleToo() {
        work = context -> database.execute("delete from leases");
        for (int run = 0; run < 3; run++) {
            rounds.passDue("sweep");
        }
        assertThat(status().trouble()).contains("its last 3 runs here failed: the lease was lost");
    }
}
