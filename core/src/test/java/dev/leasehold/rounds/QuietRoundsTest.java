package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Await;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** To lose is normal, and nothing to log; a failure is. */
class QuietRoundsTest {

    private final TestDatabase database = TestPostgres.freshDatabase();

    @TempDir
    Path folder;

    @Test
    void nodesThatLoseEverySecondSlotLogNothingAtTheDefaultLevel() throws Exception {
        try (var instances = new Instances(database)) {
            database.execute("create table seen (process text)");
            database.execute("""
                    create function note() returns trigger language plpgsql as $$
                    begin
                      insert into seen values (regexp_replace(new.holder, '[^:]*$', ''));
                      return null;
                    end $$
                    """);
            database.execute(
                    "create trigger note after update of done_slot on leases for each row execute function note()");
            var processes = new ArrayList<Process>();
            try {
                for (String node : List.of("a", "b")) {
                    processes.add(process(node));
                }
                Await.until(
                        "both have run some of many slots",
                        Duration.ofSeconds(60),
                        () -> instances.counted("quick") >= 40 && processes() >= 2);
            } finally {
                for (Process process : processes) {
                    process.getOutputStream().close();
                    if (!process.waitFor(60, TimeUnit.SECONDS)) {
                        process.destroyForcibly();
                    }
                }
            }
            assertThat(processes).allMatch(process -> process.exitValue() == 0);
            for (String node : List.of("a", "b")) {
                // On a machine that is held up, a run may take longer than a period, which is worth a line.
                assertThat(Files.readAllLines(folder.resolve(node)))
                        .filteredOn(line -> !line.contains("skips"))
                        .isEmpty();
            }
        }
    }

    private int processes() throws Exception {
        return (int) database.queryForLong("select count(distinct process) from seen");
    }

    @Test
    void workThatThrowsIsToldWithTheRoundsNameAndItsStack() throws Exception {
        Process process = process("a", "no such mailbox");
        Path log = folder.resolve("a");
        try {
            Await.until(
                    "it is told with its stack",
                    Duration.ofSeconds(60),
                    () -> Files.readString(log).contains("at dev.leasehold.rounds.QuietRoundsMain"));
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(log))
                .contains("ERROR dev.leasehold.rounds.Rounds - round quick of slot ")
                .contains("no such mailbox");
    }

    private Process process(String node, String... more) throws IOException {
        var command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                QuietRoundsMain.class.getName(),
                database.jdbcUrl(),
                node));
        command.addAll(List.of(more));
        return new ProcessBuilder(command)
                .redirectError(folder.resolve(node).toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
