package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.Wire;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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

    /** A dead process that nobody has waited for yet counts as ended. */
    private static boolean runs(long pid) throws Exception {
        Process ps = new ProcessBuilder("ps", "-o", "stat=", "-p", Long.toString(pid)).start();
        String state = new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        return !state.isBlank() && !state.startsWith("Z");
    }

    private static void awaitEnd(long... pids) throws Exception {
        for (long pid : pids) {
            Await.until("process " + pid + " has ended", () -> !runs(pid));
        }
    }

    private static void releaseByForce(String name) {
        try (Leases operator = Leases.on(DATABASE.dataSource()).build()) {
            assertThat(operator.releaseByForce(name, "it hangs")).isPresent();
        }
    }

    @Test
    void aCommandWhoseLeaseIsLostIsEndedWithAllItHasStarted() throws Exception {
        String[] arguments = {
            "lost", "--ttl", "3s", "--on-loss", "terminate", "--kill-after", "200ms", "--json", "--", "sh", "-c"
        };
        try (var exec = ExecProcess.start(folder, DATABASE, with(arguments, stubbornFamily()))) {
            long[] pids = pids();
            releaseByForce("lost");
            assertThat(exec.exitCode()).isEqualTo(124);
            awaitEnd(pids);
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
        try (var exec = ExecProcess.start(folder, DATABASE, "goes-on", "--ttl", "2s", "--", "sh", "-c", script)) {
            Await.until("the command runs", () -> Files.exists(folder.resolve("running")));
            releaseByForce("goes-on");
            Await.until("a warning", () -> exec.err().contains("WARN lease goes-on"));
            assertThat(exec.isRunning()).isTrue();
            Files.createFile(folder.resolve("go"));
            assertThat(exec.exitCode()).isEqualTo(9);
        }
    }

    @Test
    void aCommandIsEndedWhenTheDatabaseIsAwayForTooLongAndItsExecWaitsForTheReleaseWithinBounds() throws Exception {
        try (Wire wire = Wire.to(DATABASE);
                var exec = ExecProcess.start(
                        folder,
                        wire.jdbcUrl(DATABASE),
                        "away",
                        "--ttl",
                        "2s",
                        "--on-loss",
                        "terminate",
                        "--",
                        "sh",
                        "-c",
                        family())) {
            long[] pids = pids();
            wire.become(Wire.Mode.CUT);
            assertThat(exec.exitCode()).isEqualTo(124);
            awaitEnd(pids);
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
        String[] arguments = {"frozen", "--ttl", "1s", "--on-loss", "terminate", "--", "sh", "-c", family()};
        try (var exec = ExecProcess.start(folder, DATABASE, arguments)) {
            long[] pids = pids();
            exec.signal("STOP");
            try (var next = ExecProcess.start(folder, DATABASE, "frozen", "--wait", "1m", "--", "echo", "next")) {
                assertThat(next.exitCode()).isZero();
            }
            assertThat(runs(pids[0])).isTrue();
            exec.signal("CONT");
            assertThat(exec.exitCode()).isEqualTo(124);
            awaitEnd(pids);
        }
    }

    @Test
    void ofAnExecThatIsKilledTheLeaseRunsOutAndTheCommandGoesOnUnlessItIsToBeTerminated() throws Exception {
        try (var exec = ExecProcess.start(folder, DATABASE, "killed", "--ttl", "1s", "--", "sh", "-c", family())) {
            long[] pids = pids();
            exec.signal("KILL");
            try (var next = ExecProcess.start(folder, DATABASE, "killed", "--wait", "1m", "--", "echo", "next")) {
                assertThat(next.exitCode()).isZero();
                assertThat(next.out()).isEqualTo("next\n");
            }
            assertThat(runs(pids[0])).isTrue();
            ExecProcess.signal(pids[0], "KILL");
            ExecProcess.signal(pids[1], "KILL");
        }
        Files.delete(folder.resolve("pids"));
        String[] arguments = {
            "guarded", "--kill-after", "1s", "--on-loss", "terminate", "--", "sh", "-c", stubbornFamily()
        };
        try (var exec = ExecProcess.start(folder, DATABASE, arguments)) {
            long[] pids = pids();
            exec.signal("KILL");
            awaitEnd(pids);
            Await.until("it is told", () -> exec.err().contains("exec is gone, its command " + pids[0] + " is ended"));
        }
    }
}
