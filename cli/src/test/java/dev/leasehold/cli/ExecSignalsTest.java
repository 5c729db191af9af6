package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of the signals that {@code exec} gets. */
class ExecSignalsTest {

    private static final TestDatabase DATABASE = TestPostgres.freshDatabase();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private ExecProcess exec(String... arguments) throws Exception {
        return ExecProcess.start(folder, DATABASE, arguments);
    }

    /** What a shell starts in the background may ignore it, and so does all that it starts in turn. */
    private static boolean isInterruptIgnored() throws Exception {
        return new ProcessBuilder("sh", "-c", "kill -s INT $$; exit 7").start().waitFor() == 7;
    }

    @Test
    void allOfThemReachTheCommandAndTheLeaseIsReleasedWhenItHasEnded() throws Exception {
        Path got = folder.resolve("got");
        String script = "cd '" + folder + "';"
                + "for s in HUP INT USR1 USR2; do trap \"echo $s >> got\" $s; done;"
                + "trap 'echo TERM >> got; exit 7' TERM;"
                + "echo > ready; while :; do sleep 0.05; done";
        List<String> sent = isInterruptIgnored()
                ? List.of("HUP", "USR1", "USR2", "TERM")
                : List.of("HUP", "INT", "USR1", "USR2", "TERM");
        try (var exec = exec("signals", "--", "sh", "-c", script)) {
            Await.until("the command runs", () -> Files.exists(folder.resolve("ready")));
            for (String name : sent) {
                exec.signal(name);
                Await.until(
                        name, () -> Files.exists(got) && Files.readAllLines(got).contains(name));
            }
            assertThat(exec.exitCode()).isEqualTo(7);
            assertThat(Files.readAllLines(got)).isEqualTo(sent);
        }
        assertThat(DATABASE.queryForString("select expires_at = 'epoch' from leases where name = 'signals'"))
                .isEqualTo("t");
    }

    @ParameterizedTest
    @CsvSource({"TERM, 15", "HUP, 1"})
    void oneThatComesWhileItWaitsForTheLeaseEndsItAtOnce(String name, int number) throws Exception {
        Path running = folder.resolve("running");
        try (var holder = exec("waited-" + name, "--", "sh", "-c", "echo > '" + running + "'; exec sleep 60")) {
            Await.until("the command runs", () -> Files.exists(running));
            try (var waiting = exec("waited-" + name, "-v", "--wait", "1h", "--", "echo", "never")) {
                Await.until("it waits", () -> waiting.err().contains("waits for lease waited-" + name));
                waiting.signal(name);
                assertThat(waiting.exitCode()).isEqualTo(128 + number);
                assertThat(waiting.out()).isEmpty();
                assertThat(waiting.err()).contains("SIG" + name + " came before the command began");
            }
            assertThat(holder.isRunning()).isTrue();
        }
    }
}
