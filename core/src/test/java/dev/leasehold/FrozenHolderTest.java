package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.BufferedReader;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A real process, frozen by a real signal in the middle of a fenced transaction. */
class FrozenHolderTest {

    private static final Duration TTL = Duration.ofSeconds(4);

    private final TestDatabase database = TestPostgres.freshDatabase();

    private static void signal(Process process, String signal) throws Exception {
        int exit = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        assertThat(exit).isZero();
    }

    private boolean isRunOut() throws Exception {
        return database.queryForLong("select count(*) from leases where expires_at < clock_timestamp()") == 1;
    }

    @Test
    void aFrozenHolderKeepsItsLeaseUntilTheServerEndsItsTransactionAndThenCommitsNothing() throws Exception {
        database.execute("create table effect (what text)");
        Process holder = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        FencingHolderMain.class.getName(),
                        database.jdbcUrl(),
                        TTL.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader said = holder.inputReader();
                var others = Leases.on(database.dataSource()).build()) {
            assertThat(said.readLine()).isEqualTo("fenced");
            signal(holder, "STOP");
            int busyThoughRunOut = 0;
            boolean isTakenOver = false;
            for (long end = System.nanoTime() + TTL.multipliedBy(10).toNanos();
                    !isTakenOver && System.nanoTime() < end; ) {
                // The server ends the transaction a ttl after it became idle; the lease ran out well before that.
                boolean wasRunOut = isRunOut();
                isTakenOver = others.tryAcquire("frozen").lease().isPresent();
                busyThoughRunOut += wasRunOut && !isTakenOver ? 1 : 0;
            }
            assertThat(isTakenOver)
                    .as("taken over after the server ended the transaction")
                    .isTrue();
            assertThat(busyThoughRunOut)
                    .as("refusals after the lease had run out")
                    .isPositive();
            signal(holder, "CONT");
            holder.outputWriter().append('\n').flush();
            assertThat(said.readLine()).startsWith("refused: ");
            assertThat(database.queryForLong("select count(*) from effect")).isZero();
        } finally {
            holder.destroyForcibly();
        }
    }
}
