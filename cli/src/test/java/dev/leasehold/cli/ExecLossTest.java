package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.Wire;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a command whose lease is lost, or whose {@code exec} is frozen or killed. */
class ExecLossTest {

    private static final TestDatabase DATABASE = TestPostgres.freshDatabase();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    /** A shell that waits for what it has started. Neither of the two ends by itself. */
    private String family() {
        return "cd '" + folder + "'; sleep 300 & echo $$ $! > pids.new; mv pids.new pids; wait; wait";
    }

    /** The same, which does not mind SIGTERM. */
    private String stubbornFamily() {
        return "trap '' TERM; " + family();
    }

    private long[] pids() throws Exception {
        String[] pids = Await.line(folder.resolve("pids")).split(" ", -1);
        return new long[] {Long.parseLong(pids[0]), Long.parseLong(pids[1])};
    }

    private static void releaseByForce(String name) {
        try (Leases operator = Leases.on(DATABASE.dataSource()).build()) {
            assertThat(operator.releaseByForce(name, "it hangs")).isPresent();
        }
    }

    @Test
    void aCommandWhoseLeaseIsLostIsEndedWithAllItHasStarted() throws Exception {
        String[] arguments = {
            "lost", "--ttl", "8s", "--on-loss", "terminate", "--kill-after", "200ms", "--json", "--", "sh", "-c"
        };
        try (var exec = ExecProcess.start(folder, DATABASE, with(arguments, stubbornFamily()))) {
            long[] pids = pids();
            releaseByForce("lost");
            assertThat(exec.exitCode()).isEqualTo(124);
            ExecProcess.awaitEnd(pids);
            assertThat(exec.err())
                    .contains("lease lost is LOST: the command is ended")
                    .contains("\"outcome\":\"ended-on-loss\",\"exit_code\":124")
                    .contains("\"released\":false,\"lost\":true");
        }
    }

    private static String[] with(String[] arguments, String last) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = last;
        return all;
    }

    @Test
    void byDefaultTheCommandGoesOnAndAWarningIsGiven() throws Exception {
        String script = "cd '" + folder + "'; echo > running; while [ ! -e go ]; do sleep 0.05; done; exit 9";
        String name = "goes\u001b[2J-\non";
        try (var exec = ExecProcess.start(folder, DATABASE, name, "--ttl", "8s", "--", "sh", "-c", script)) {
            Await.until("the command runs", () -> Files.exists(folder.resolve("running")));
            releaseByForce(name);
            Await.until("a warning", () -> exec.err().contains("WARN lease goes\uFFFD[2J- on "));
            assertThat(exec.isRunning()).isTrue();
            Files.createFile(folder.resolve("go"));
            assertThat(exec.exitCode()).isEqualTo(9);
            assertThat(exec.err()).doesNotContain("\u001b");
        }
    }

    private static String expiry(String name) throws Exception {
        return String.valueOf(DATABASE.queryForString("select expires_at from leases where name = '" + name + "'"));
    }

    @Test
    void aCommandIsEndedWhenTheDatabaseIsAwayForTooLongAndItsExecWaitsForTheReleaseWithinBounds() throws Exception {
        try (Wire wire = Wire.to(DATABASE);
                var exec = ExecProcess.start(
                        folder,
                        wire.jdbcUrl(DATABASE),
                        "away",
                        "--ttl",
                        "5s",
                        "--on-loss",
                        "terminate",
                        "--",
                        "sh",
                        "-c",
                        family())) {
            long[] pids = pids();
            String first = expiry("away");
            Await.until("it is renewed", () -> !expiry("away").equals(first));
            wire.become(Wire.Mode.CUT);
            assertThat(exec.err()).as("not lost before").isEmpty();
            assertThat(exec.exitCode()).isEqualTo(124);
            ExecProcess.awaitEnd(pids);
            assertThat(exec.err()).contains("lease away is UNCONFIRMED: the command is ended");
        }
    }

    @Test
    void aCommandKeepsItsExitCodeThoughItsLeaseCannotBeReleased() throws Exception {
        String script = "cd '" + folder + "'; echo > running; while [ ! -e go ]; do sleep 0.05; done; exit 4";
        try (Wire wire = Wire.to(DATABASE);
                var exec = ExecProcess.start(
                        folder, wire.jdbcUrl(DATABASE), "unreleased", "--ttl", "1h", "--", "sh", "-c", script)) {
            Await.until("the command runs", () -> Files.exists(folder.resolve("running")));
            wire.become(Wire.Mode.CUT);
            Files.createFile(folder.resolve("go"));
            assertThat(exec.exitCode()).isEqualTo(4);
            assertThat(exec.err()).contains("lease unreleased could not be released: it runs out within 1h");
        }
    }

    @Test
    void anExecThatWakesAfterItsLeaseEndsTheCommand() throws Exception {
        String[] arguments = {"frozen", "--ttl", "5s", "--on-loss", "terminate", "--", "sh", "-c", family()};
        try (var exec = ExecProcess.start(folder, DATABASE, arguments)) {
            long[] pids = pids();
            exec.signal("STOP");
            try (var next = ExecProcess.start(folder, DATABASE, "frozen", "--wait", "1m", "--", "echo", "next")) {
                assertThat(next.exitCode()).isZero();
            }
            assertThat(ExecProcess.runs(pids[0])).isTrue();
            exec.signal("CONT");
            assertThat(exec.exitCode()).isEqualTo(124);
            ExecProcess.awaitEnd(pids);
        }
    }

    @Test
    void ofAnExecThatIsKilledTheLeaseRunsOutAndTheCommandGoesOn() throws Exception {
        try (var exec = ExecProcess.start(folder, DATABASE, "killed", "--ttl", "4s", "--", "sh", "-c", family())) {
            long[] pids = pids();
            exec.signal("KILL");
            try (var next = ExecProcess.start(folder, DATABASE, "killed", "--wait", "1m", "--", "echo", "next")) {
                assertThat(next.exitCode()).isZero();
                assertThat(next.out()).isEqualTo("next\n");
            }
            assertThat(ExecProcess.runs(pids[0])).isTrue();
            ExecProcess.signal(pids[0], "KILL");
            ExecProcess.signal(pids[1], "KILL");
        }
    }

    /** Also where the kernel's process 0 is its own parent, as on FreeBSD. */
    @Test
    void aGuardEndsTheCommandOfAnExecThatIsKilledWithWhatIsStartedMeanwhile() throws Exception {
        Path programs = Files.createDirectory(folder.resolve("programs"));
        Path ps = Files.writeString(programs.resolve("ps"), "#!/bin/sh\necho 0 0\nPATH=${PATH#*:} exec ps \"$@\"\n");
        assertThat(ps.toFile().setExecutable(true)).isTrue();
        String[] arguments = {"guarded", "--kill-after", "4s", "--on-loss", "terminate", "--"};
        String[] all = Stream.concat(Arrays.stream(arguments), FamilyTest.growing(folder).stream())
                .toArray(String[]::new);
        Map<String, String> path = Map.of("PATH", programs + ":" + System.getenv("PATH"));
        try (var exec = ExecProcess.start(folder, DATABASE.jdbcUrl(), path, all)) {
            long member = Long.parseLong(Await.line(folder.resolve("pid")));
            exec.signal("KILL");
            ExecProcess.awaitEnd(member, Long.parseLong(Await.line(folder.resolve("late"))));
            Await.until("it is told", () -> exec.err().contains("leasehold: exec is gone, its command "));
        }
    }
}
