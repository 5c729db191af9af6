package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A server whose process is frozen, and so does not answer, while work runs in a fenced transaction. */
class SilentServerInFencedTransactionsTest {

    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final TestDatabase database = TestPostgres.freshDatabase();

    private static void signal(String signal, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("kill", signal, String.valueOf(pid)).start().waitFor();
    }

    @Test
    void whatTheWorkThrowsComesOutThoughTheRollbackIsNotAnswered() throws Exception {
        var frozen = new CompletableFuture<Long>();
        var thread = Executors.newSingleThreadExecutor();
        try (var leases = Leases.on(database.dataSource()).ttl(TTL).build();
                var lease = leases.tryAcquire("sweep", LIMIT).lease().orElseThrow()) {
            var ran = thread.submit(() -> {
                lease.runFenced(connection -> {
                    try (var statement = connection.createStatement();
                            var rows = statement.executeQuery("select pg_backend_pid()")) {
                        rows.next();
                        frozen.complete(rows.getLong(1));
                        signal("-STOP", rows.getLong(1));
                    }
                    throw new IllegalStateException("the work");
                });
                return true;
            });
            long pid = frozen.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            try {
                assertThatExceptionOfType(ExecutionException.class)
                        .isThrownBy(() -> ran.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .withCauseInstanceOf(IllegalStateException.class)
                        .withMessageContaining("the work");
            } finally {
                signal("-CONT", pid);
            }
        } finally {
            thread.shutdownNow();
        }
    }
}
