package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Await;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.RecordedRun;
import dev.leasehold.RunHistory;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Work that releases its round's lease itself: what is told of it agrees with the table. */
class OwnReleaseTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofDays(300);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Instances instances = new Instances(database);
    private final Leases leases = instances.leases();
    private final RunHistory history = leases.runHistory().build();

    @AfterEach
    void close() {
        instances.close();
    }

    private RoundRun run(Promise promise, RoundWork work) {
        return instances
                .byHand(
                        leases,
                        builder -> builder.history(history),
                        Round.named("sweep").every(LONG).promise(promise).work(work))
                .pass("sweep")
                .orElseThrow();
    }

    private void assertAgreed(RoundRun run) throws Exception {
        // a write that takes longer than a second goes on in the background
        Await.until(
                "it is written",
                LIMIT,
                () -> history.runs("sweep", 10).stream()
                        .anyMatch(row -> row.outcome().isPresent()));
        RecordedRun row = history.runs("sweep", 10).get(0);
        assertThat(row.outcome()).contains(run.outcome().name());
        assertThat(row.error()).isEqualTo(run.error());
        assertThat(row.counted()).isEqualTo(run.counted());
        assertThat(database.queryForLong("select count(done_slot) from leases") == 1)
                .as("counted in the table")
                .isEqualTo(run.counted());
    }

    private static void release(Lease lease, String how) {
        switch (how) {
            case "releaseDone" -> lease.releaseDone();
            case "release" -> lease.release();
            case "abandon" -> lease.abandon();
            case "releaseToRest" -> lease.releaseToRest(Duration.ofMinutes(1));
            default -> lease.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "AT_LEAST_ONCE, releaseDone, true",
        "AT_LEAST_ONCE, release, false",
        "AT_LEAST_ONCE, close, false",
        "AT_LEAST_ONCE, abandon, false",
        "AT_LEAST_ONCE, releaseToRest, false",
        "AT_MOST_ONCE, releaseDone, true",
        "AT_MOST_ONCE, close, true",
        "AT_MOST_ONCE, abandon, false",
        "EXACTLY_ONCE, close, false",
        "EXACTLY_ONCE, releaseDone, true"
    })
    void aRunWhoseWorkReleasesTheLeaseHasFailedAndSaysWhatTheTableSays(Promise promise, String how, boolean counts)
            throws Exception {
        RoundRun run = run(promise, context -> release(context.lease(), how));
        assertThat(run.outcome()).isEqualTo(RoundOutcome.FAILED);
        assertThat(run.error()).contains("the work has released the round's lease itself; the round does that");
        assertThat(run.counted()).isEqualTo(counts);
        assertAgreed(run);
    }

    @Test
    void whatTheWorkThrowsAfterItsOwnReleaseIsStillWhatIsTold() throws Exception {
        RoundRun run = run(Promise.AT_LEAST_ONCE, context -> {
            context.lease().releaseDone();
            throw new IllegalStateException("broken");
        });
        assertThat(run.outcome()).isEqualTo(RoundOutcome.FAILED);
        assertThat(run.error()).contains("java.lang.IllegalStateException: broken");
        assertThat(run.counted()).isTrue();
        assertAgreed(run);
    }

    /** As a lease outside of rounds is ended after its transaction. */
    @Test
    void aReleaseAfterACommittedFinishDoesNoHarm() throws Exception {
        RoundRun run = run(Promise.EXACTLY_ONCE, context -> {
            try (Connection connection = database.connect()) {
                connection.setAutoCommit(false);
                context.finish(connection);
                connection.commit();
            }
            context.lease().release();
        });
        assertThat(run.outcome()).isEqualTo(RoundOutcome.DONE);
        assertThat(run.counted()).isTrue();
        assertAgreed(run);
    }
}
