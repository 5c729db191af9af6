package dev.leasehold.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherTest {

    @TempDir
    private Path project;

    private Path jar;
    private Path notes;

    @BeforeEach
    void standIn() throws IOException {
        jar = StandInJar.write(project.resolve("stand-in.jar"));
        notes = Files.createDirectory(project.resolve("notes"));
        SharedBinaries.linkInto(DataFolder.of(project.resolve(".data")));
    }

    @Test
    void interruptedWithItsNodesItEndsTheDatabaseAfterThem() throws Exception {
        try (LauncherProcess run = start()) {
            List<ProcessHandle> nodes = List.of(run.node("node-a"), run.node("node-b"));
            ProcessHandle server = server();

            // the terminal's Ctrl-C goes to all of them at once
            for (ProcessHandle node : nodes) {
                Signals.interrupt(node);
            }
            Signals.interrupt(run.handle());

            assertThat(run.awaitExit()).isEqualTo(130);
            assertThat(notes.resolve("node-a")).hasContent("released");
            assertThat(notes.resolve("node-b")).hasContent("released");
            assertThat(nodes).noneMatch(LauncherTest::runs);
            assertThat(runs(server)).isFalse();
            assertThat(run.out()).noneMatch(line -> line.contains("has died"));
            assertThat(run.err()).isEmpty();
        }
    }

    @Test
    void whatAKilledRunHasLeftIsEndedByTheNext() throws Exception {
        List<ProcessHandle> left = new ArrayList<>();
        try (LauncherProcess killed = start()) {
            left.addAll(List.of(killed.node("node-a"), killed.node("node-b"), server()));
            killed.handle().destroyForcibly();
            killed.awaitExit();
        }
        assertThat(left).allMatch(LauncherTest::runs);

        try (LauncherProcess next = start()) {
            ProcessHandle node = next.node("node-a");

            assertThat(left).noneMatch(LauncherTest::runs);
            assertThat(notes.resolve("node-a")).hasContent("released");
            assertThat(next.out()).anyMatch(line -> line.startsWith("Ending 2 node(s)"));
            assertThat(next.out()).anyMatch(line -> line.startsWith("Ending the PostgreSQL"));

            next.handle().destroy();
            assertThat(next.awaitExit()).isEqualTo(143);
            assertThat(next.out())
                    .filteredOn(line -> line.startsWith("node-a | up with"))
                    .hasSize(1);
            assertThat(next.out()).contains("node-a | the last words of node-a", "node-b | the last words of node-b");
            assertThat(project.resolve(".data/log/node-a.log")).content().contains("the last words of node-a");
            assertThat(runs(node)).isFalse();
        }
    }

    @Test
    void theDatabaseOfAKilledRunIsEndedAndSoNotForUse() throws Exception {
        String url;
        try (LauncherProcess killed = start("--nodes", "1")) {
            url = "postgresql://postgres@" + killed.awaitLine("^Database +([^,]+),") + "/leasehold";
            killed.handle().destroyForcibly();
            killed.awaitExit();
        }

        try (LauncherProcess next = start("--nodes", "1", "--database-url", url)) {
            assertThat(next.awaitExit()).isEqualTo(2);
            assertThat(next.err()).singleElement().asString().contains("nothing accepts connections there");
        }
    }

    @Test
    void aSecondRunInTheSameFolderIsRefusedAndHarmsNothing() throws Exception {
        try (LauncherProcess first = start("--nodes", "1")) {
            ProcessHandle node = first.node("node-a");

            try (LauncherProcess second = start()) {
                assertThat(second.awaitExit()).isEqualTo(1);
                assertThat(second.err())
                        .singleElement()
                        .asString()
                        .contains("another ./run is alive")
                        .contains("process " + first.handle().pid());
            }
            assertThat(runs(node)).isTrue();
            assertThat(runs(server())).isTrue();
        }
    }

    @Test
    void aNodeThatEndsEarlyIsExplainedAndEndsTheRun() throws Exception {
        try (LauncherProcess run =
                LauncherProcess.start(project, options(), "STAND_IN_NOTES=" + notes, "STAND_IN_FAILS=node-b")) {
            assertThat(run.awaitExit()).isEqualTo(1);

            assertThat(run.err()).containsExactly("run: node-b ended before it was ready, with exit code 3");
            assertThat(run.out()).contains("    the reason why node-b can't start");
            assertThat(Postmaster.runningOn(project.resolve(".data/postgres").toRealPath()))
                    .isEmpty();
        }
    }

    @Test
    void theOthersGoOnWhenANodeDiesAndTheRunEndsWithTheLast() throws Exception {
        try (LauncherProcess run = start("--instances-per-node", "2", "--nodes", "1")) {
            ProcessHandle first = run.node("node-a/1");
            ProcessHandle second = run.node("node-a/2");

            first.destroyForcibly();
            run.awaitLine("node-a/1 \\(process " + first.pid() + "\\) has died with exit code 137. Still alive: 1.");
            assertThat(runs(second)).isTrue();

            second.destroyForcibly();
            assertThat(run.awaitExit()).isEqualTo(1);
            assertThat(run.err()).containsExactly("run: no node is left");
        }
    }

    @Test
    void aBusyPortIsSkippedAndNamed() throws Exception {
        try (ServerSocket busy = new ServerSocket(FreePort.find(), 1, InetAddress.getLoopbackAddress());
                LauncherProcess run = start("--nodes", "1", "--port", Integer.toString(busy.getLocalPort()))) {
            run.awaitLine("Port " + busy.getLocalPort() + " is busy");
            assertThat(run.awaitLine("node-a +http://localhost:(\\d+)")).isNotEqualTo("" + busy.getLocalPort());
        }
    }

    @Test
    void wrongOptionsAreRefusedInOneLineThatNamesThem() throws Exception {
        assertRefused(List.of("--nodes", "27"), "--nodes is 27, but must be from 1 to 26");
        assertRefused(List.of("--instances-per-node", "0"), "--instances-per-node is 0, but must be from 1 to 8");
        assertRefused(List.of("--monitors", "/no/such/file"), "--monitors is /no/such/file");
        assertRefused(List.of("--node", "2"), "--node");
    }

    private void assertRefused(List<String> options, String reason) throws Exception {
        try (LauncherProcess run = LauncherProcess.start(project, options)) {
            assertThat(run.awaitExit()).isEqualTo(2);
            assertThat(run.err()).singleElement().asString().contains(reason);
        }
    }

    private LauncherProcess start(String... more) throws IOException {
        return LauncherProcess.start(project, options(more), "STAND_IN_NOTES=" + notes);
    }

    private List<String> options(String... more) {
        List<String> options = new ArrayList<>(List.of("--watch-jar", jar.toString()));
        options.addAll(List.of(more));
        if (!options.contains("--port")) {
            options.addAll(List.of("--port", Integer.toString(FreePort.find())));
        }
        return options;
    }

    private ProcessHandle server() throws IOException {
        return Postmaster.runningOn(project.resolve(".data/postgres").toRealPath())
                .orElseThrow()
                .process();
    }

    /** An orphan that has ended and waits to be collected is alive to the JVM, but has no program. */
    private static boolean runs(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }
}
