package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code exec --every}: once per slot, on whichever host comes first. */
class ExecSlotsTest {

    /** So long that no slot begins while a test runs. */
    private static final String EVERY = "366d";

    private static final TestDatabase DATABASE = TestPostgres.freshDatabase();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private ExecProcess exec(String... arguments) throws Exception {
        return ExecProcess.start(folder, DATABASE, arguments);
    }

    private int run(String... arguments) throws Exception {
        try (var exec = exec(arguments)) {
            return exec.exitCode();
        }
    }

    @Test
    void ofFiveAtTheSameTimeExactlyOneRuns() throws Exception {
        List<ExecProcess> hosts = new ArrayList<>();
        List<Integer> codes = new ArrayList<>();
        var said = new StringBuilder();
        try {
            for (int i = 0; i < 5; i++) {
                hosts.add(exec("report", "--every", EVERY, "--", "sh", "-c", "echo $LEASEHOLD_SLOT"));
            }
            for (ExecProcess host : hosts) {
                codes.add(host.exitCode());
                said.append(host.out());
            }
        } finally {
            hosts.forEach(ExecProcess::close);
        }
        assertThat(codes).containsExactlyInAnyOrder(0, 75, 75, 75, 75);
        assertThat(said.toString()).matches("\\d{4}-\\d\\d-\\d\\dT00:00:00Z\n");
        try (var later = exec("report", "--every", EVERY, "--verbose", "--", "echo", "again")) {
            assertThat(later.exitCode()).isEqualTo(75);
            assertThat(later.err()).contains("the slot of report has had its run; the next one comes in ");
            assertThat(later.out()).isEmpty();
        }
    }

    @Test
    void aFailedRunCountsUnlessItIsToBeRetried() throws Exception {
        assertThat(run("counts", "--every", EVERY, "--", "false")).isEqualTo(1);
        assertThat(run("counts", "--every", EVERY, "--", "true")).isEqualTo(75);

        assertThat(run("retried", "--every", EVERY, "--retry-failed", "--", "false"))
                .isEqualTo(1);
        assertThat(run("retried", "--every", EVERY, "--retry-failed", "--", "true"))
                .isZero();
        assertThat(run("retried", "--every", EVERY, "--retry-failed", "--", "true"))
                .isEqualTo(75);
    }

    @Test
    void aRunThatASignalHasEndedLeavesItsSlotDue() throws Exception {
        Path running = folder.resolve("running");
        try (var exec =
                exec("stopped", "--every", EVERY, "--", "sh", "-c", "echo > '" + running + "'; exec sleep 60")) {
            Await.until("the command runs", () -> Files.exists(running));
            exec.signal("TERM");
            assertThat(exec.exitCode()).isEqualTo(128 + 15);
        }
        assertThat(run("stopped", "--every", EVERY, "--", "true")).isZero();
    }

    @Test
    void aPausedOneIsNotRun() throws Exception {
        try (Leases leases = Leases.on(DATABASE.dataSource()).build()) {
            leases.pause("paused", "the disk is full");
        }
        try (var exec = exec("paused", "--every", EVERY, "-v", "--", "echo", "never")) {
            assertThat(exec.exitCode()).isEqualTo(75);
            assertThat(exec.err()).isEqualTo("leasehold: paused is paused: the disk is full\n");
            assertThat(exec.out()).isEmpty();
        }
    }
}
