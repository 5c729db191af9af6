package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that contend for one lease; what they write down shows who held it when. */
class TwoProcessesTest {

    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofSeconds(20);

    private final TestDatabase database = TestPostgres.freshDatabase();

    @TempDir
    Path logs;

    private Process contender(int number, Duration ttl) throws Exception {
        var output = Files.createFile(logs.resolve("contender-" + number + ".log"));
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ContenderMain.class.getName(),
                        database.jdbcUrl(),
                        ttl.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    private String output() throws Exception {
        var all = new StringBuilder();
        try (var files = Files.list(logs)) {
            for (Path file : files.toList()) {
                all.append(file.getFileName()).append(":\n").append(Files.readString(file));
            }
        }
        return all.toString();
    }

    private void setUp() throws Exception {
        database.execute("create table hold (holder text, fence bigint, began timestamptz, ended timestamptz)");
        Leases.on(database.dataSource()).build().close();
    }

    private long overlaps() throws Exception {
        return database.queryForLong("""
                select count(*)
                  from hold a
                  join hold b on a.fence < b.fence
                   and b.began < a.ended
                """);
    }

    @Test
    void manyThreadsInTwoProcessesHaveOneHolderAtATimeAndGrowingFences() throws Exception {
        setUp();
        List<Process> processes = new ArrayList<>(List.of(contender(1, LONG), contender(2, LONG)));
        for (Process process : processes) {
            assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(output()).isZero();
        }
        assertThat(database.queryForLong("select count(distinct split_part(holder, ':', 2)) from hold"))
                .as("both processes had their turns")
                .isEqualTo(2);
        assertThat(database.queryForLong("select count(*) from hold")).isGreaterThanOrEqualTo(40);
        assertThat(overlaps()).isZero();
        assertThat(database.queryForLong("select count(*) - count(distinct fence) from hold"))
                .isZero();
    }

    @Test
    void aKilledHolderIsTakenOverWithinOneLease() throws Exception {
        setUp();
        Process holder = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        AcquireOnceMain.class.getName(),
                        database.jdbcUrl(),
                        "contended",
                        SHORT.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var leases = Leases.on(database.dataSource()).build();
                var said = holder.inputReader()) {
            assertThat(said.readLine()).isEqualTo(AcquireOnceMain.STARTED);
            assertThat(said.readLine()).startsWith("acquired ");
            holder.destroyForcibly().waitFor();
            assertThat(leases.rows())
                    .singleElement()
                    .satisfies(row -> assertThat(row.holder()).contains(":" + holder.pid() + ":"));
            Lease taken = leases.tryAcquire("contended", Duration.ofSeconds(30))
                    .lease()
                    .orElseThrow();
            assertThat(taken.deaths()).isPositive();
        } finally {
            holder.destroyForcibly();
        }
    }
}
