package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.OptionalTool;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
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

    @Test
    void allOfThemReachTheCommandAndTheLeaseIsReleasedWhenItHasEnded() throws Exception {
        Path got = folder.resolve("got");
        String script = "cd '" + folder + "';"
                + "for s in HUP INT USR1 USR2; do trap \"echo $s >> got\" $s; done;"
                + "trap 'echo TERM >> got; exit 7' TERM;"
                + "echo > ready; while :; do sleep 0.05; done";
        var sent = new ArrayList<String>();
        for (String name : List.of("HUP", "INT", "USR1", "USR2", "TERM")) {
            if (!ExecProcess.isIgnored(name)) {
                sent.add(name);
            }
        }
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
        ExecProcess.assumeNotIgnored(name);
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

    /** The terminal is one that util-linux makes; what comes to its standard input is typed there. */
    @Test
    @EnabledOnOs(OS.LINUX) // elsewhere it takes other options
    void ctrlCAtATerminalReachesTheCommandOnce() throws Exception {
        ExecProcess.assumeNotIgnored("INT");
        String counting = "cd '" + folder + "'; trap 'echo INT >> got' INT; trap 'echo USR1 >> got; last=1' USR1;"
                + " echo > ready; while [ -z \"$last\" ]; do sleep 0.05; done; sleep 0.3; exit 5";
        // The shell that reads this line gets Ctrl-C too: it must not stay to tell its own end by it.
        String typed = "exec "
                + ExecProcess.builder(DATABASE.jdbcUrl(), "terminal", "--", "sh", "-c", counting).command().stream()
                        .map(word -> "'" + word.replace("'", "'\\''") + "'")
                        .collect(Collectors.joining(" "));
        Process script = new ProcessBuilder(
                        OptionalTool.SCRIPT.orSkip().toString(), "--quiet", "--return", "--command", typed, "/dev/null")
                .redirectOutput(folder.resolve("screen").toFile())
                .redirectErrorStream(true)
                .start();
        Path got = folder.resolve("got");
        try (var keyboard = script.outputWriter()) {
            Await.until("the command runs", () -> Files.exists(folder.resolve("ready")));
            keyboard.append('\u0003').flush();
            Await.until("it is interrupted", () -> Files.exists(got));
            long exec = DATABASE.queryForLong(
                    "select split_part(holder, ':', 2)::bigint from leases where name = 'terminal'");
            // Signals are passed on one after the other: a second INT would come before this one.
            ExecProcess.signal(exec, "USR1");
            assertThat(script.waitFor(60, TimeUnit.SECONDS)).as("it has ended").isTrue();
            assertThat(script.exitValue()).isEqualTo(5);
            assertThat(Files.readAllLines(got)).containsExactly("INT", "USR1");
        } finally {
            script.destroyForcibly();
        }
    }
}
