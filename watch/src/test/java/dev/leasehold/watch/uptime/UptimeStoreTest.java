package dev.leasehold.watch.uptime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.watch.testing.MigratedDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UptimeStoreTest {

    private final MigratedDatabase database = new MigratedDatabase();
    private final UptimeStore store = new UptimeStore(database.jdbc());

    @AfterEach
    void stop() {
        database.close();
    }

    @Test
    void monitorThatIsBeingRemovedWhileResultsAreWrittenGetsNoneAndCostsTheOthersNothing() throws Exception {
        long kept = database.addMonitor("kept", "http://kept.example/", Duration.ofSeconds(5));
        long removed = database.addMonitor("removed", "http://removed.example/", Duration.ofSeconds(5));
        List<CheckResult> results = List.of(up(kept, "http://kept.example/"), up(removed, "http://removed.example/"));
        CompletableFuture<Void> save;
        try (var remover = database.connect();
                var statement = remover.createStatement()) {
            remover.setAutoCommit(false);
            statement.execute("delete from monitor where name = 'removed'");
            save = CompletableFuture.runAsync(
                    () -> store.save("node-a", Instant.parse("2026-11-29T10:00:00Z"), results));
            database.awaitSomeoneWhoWaitsForALock();
            remover.commit();
        }
        save.get(30, TimeUnit.SECONDS);

        assertThat(database.aside()
                        .sql("select monitor_id from check_result")
                        .query(Long.class)
                        .list())
                .containsExactly(kept);
    }

    private static CheckResult up(long monitor, String url) {
        return new CheckResult(monitor, url, Verdict.of(new Seen.Answered(200)), Duration.ofMillis(1));
    }
}
