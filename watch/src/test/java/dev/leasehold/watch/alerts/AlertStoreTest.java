package dev.leasehold.watch.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.watch.testing.MigratedDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AlertStoreTest {

    private final MigratedDatabase database = new MigratedDatabase();
    private final AlertStore store = new AlertStore(database.jdbc(), database.transactions(), true);
    private final Outbox outbox = new Outbox(database.jdbc(), "http://hook.example/");
    private final long monitor = database.addMonitor("shop", "http://shop.example/", Duration.ofSeconds(5));

    @AfterEach
    void stop() {
        database.close();
    }

    private static Change change(State from, State to, long seq) {
        return new Change(from, to, seq, "", true);
    }

    private static Change first(State to) {
        return new Change(null, to, 1, "", true);
    }

    private List<Notification> claim() {
        return outbox.claim(10, Duration.ofMinutes(1));
    }

    private void letTimePass() {
        database.aside().sql("update outbox set next_attempt_at = now()").update();
    }

    @Test
    void secondWithTheSameNumberWritesNothing() {
        store.record(monitor, first(State.UP));
        store.record(monitor, first(State.DOWN));
        store.record(monitor, change(State.UP, State.DOWN, 2));
        store.record(monitor, change(State.UP, State.DOWN, 2));

        assertThat(database.count("transition")).isEqualTo(2);
        assertThat(database.count("outbox")).isEqualTo(4);
    }

    @Test
    void changeFromAStateThatIsNotTheStoredOneLeavesNothingBehind() {
        store.record(monitor, first(State.UP));

        store.record(monitor, change(State.UP, State.DOWN, 3));

        assertThat(database.count("transition")).isEqualTo(1);
        assertThat(database.count("outbox")).isEqualTo(2);
        assertThat(database.aside()
                        .sql("select state || seq from monitor_state")
                        .query(String.class)
                        .single())
                .isEqualTo("up1");
    }

    @Test
    void monitorThatIsGoneIsNotRecorded() {
        database.aside().sql("delete from monitor").update();

        store.record(monitor, first(State.DOWN));

        assertThat(database.count("transition")).isZero();
    }

    @Test
    void monitorThatIsBeingRemovedIsNotRecordedAndFailsNothing() throws Exception {
        CompletableFuture<Void> record;
        try (var remover = database.connect();
                var statement = remover.createStatement()) {
            remover.setAutoCommit(false);
            statement.execute("delete from monitor");
            record = CompletableFuture.runAsync(() -> store.record(monitor, first(State.DOWN)));
            database.awaitSomeoneWhoWaitsForALock();
            remover.commit();
        }
        record.get(30, TimeUnit.SECONDS);

        assertThat(database.count("transition")).isZero();
    }

    @Test
    void claimedRowIsTakenByNobodyElseUntilTheClaimRunsOut() {
        store.record(monitor, first(State.DOWN));

        assertThat(claim()).extracting(Notification::channel).containsExactlyInAnyOrder("log", "webhook");
        assertThat(claim()).isEmpty();
        letTimePass();
        assertThat(claim()).extracting(Notification::attempt).containsExactly(2, 2);
    }

    @Test
    void lateFailureDoesNotTouchTheClaimOfASuccessor() {
        store.record(monitor, first(State.DOWN));
        Notification old = claim().get(0);
        letTimePass();
        claim();

        outbox.failed(old, "late", Duration.ZERO);

        assertThat(claim()).isEmpty();
    }

    @Test
    void whatWasDeliveredIsNeverClaimedAgain() {
        store.record(monitor, first(State.DOWN));
        claim().forEach(outbox::delivered);
        letTimePass();

        assertThat(claim()).isEmpty();
    }

    @Test
    void claimTakesNoMoreThanItIsAskedFor() {
        store.record(monitor, first(State.DOWN));

        assertThat(outbox.claim(1, Duration.ofMinutes(1))).hasSize(1);
    }
}
