package dev.leasehold.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.FreePort;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class NodeProcessTest {

    private static final int LINES = 160_000; // a megabyte
    private static final Node NODE = new Node("node-a", 1, 1, 0, 8081);

    @TempDir
    private Path folder;

    @Test
    void aConsoleThatNobodyReadsHoldsNoNodeUpAndLosesNothing() throws Exception {
        Path log = folder.resolve("node-a.log");
        CountDownLatch read = new CountDownLatch(1);
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        Console console = new Console(new PrintStream(new Terminal(shown, read), true, StandardCharsets.UTF_8), false);
        NodeProcess node = NodeProcess.start(
                NODE,
                new ProcessBuilder("sh", "-c", "seq " + LINES + "; printf 'zuletzt: \\303\\274brig'"),
                log,
                console);
        try {
            assertThat(node.endsBy(System.nanoTime() + Duration.ofSeconds(30).toNanos()))
                    .as("ended while the terminal stood still")
                    .isTrue();
            assertThat(node.exitCode()).isZero();
        } finally {
            read.countDown();
            node.kill();
        }

        node.awaitOutput();
        List<String> lines = shown.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(LINES + 1).startsWith("node-a | 1", "node-a | 2");
        assertThat(lines).endsWith("node-a | " + LINES, "node-a | zuletzt: übrig");
        assertThat(node.lastLines()).hasSize(25).endsWith("" + LINES, "zuletzt: übrig");
        assertThat(Files.readAllLines(log)).hasSize(LINES + 1);
    }

    @Test
    void aLineIsShownWhileTheNodeRunsOnceItIsWhole() throws Exception {
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        Console console = new Console(new PrintStream(shown, true, StandardCharsets.UTF_8), false);
        Path go = folder.resolve("go");
        NodeProcess node = NodeProcess.start(
                NODE,
                new ProcessBuilder(
                        "sh",
                        "-c",
                        "echo one; printf 'tw\\303'; until test -e '" + go + "'; do sleep 0.1; done;"
                                + " printf '\\266lf\\r\\n'; exec sleep 60"),
                folder.resolve("node-a.log"),
                console);
        try {
            assertThat(Poll.until(Duration.ofSeconds(30), () -> text(shown).contains("one")))
                    .isTrue();
            Files.createFile(go);
            assertThat(Poll.until(Duration.ofSeconds(30), () -> text(shown).endsWith("lf\n")))
                    .isTrue();
            assertThat(text(shown)).isEqualTo("node-a | one\nnode-a | twölf\n");
        } finally {
            node.kill();
        }
    }

    @Test
    void aNodeThatIsOutOfMemoryEnds() throws Exception {
        NodeCommand command = new NodeCommand(
                StandInJar.write(folder.resolve("stand-in.jar")),
                DataFolder.of(folder.resolve("data")),
                DatabaseUrl.parse("postgresql://nobody@127.0.0.1:1/none"),
                Files.createFile(folder.resolve("monitors.yaml")));
        int port = FreePort.find();
        Node planned = new Node("node-a", 1, 1, 0, port);
        ProcessBuilder builder = command.of(planned);
        builder.environment().put("STAND_IN_EXHAUSTS_MEMORY", "node-a");

        NodeProcess node =
                NodeProcess.start(planned, builder, folder.resolve("node-a.log"), new Console(System.out, false));
        try {
            assertThat(node.endsBy(System.nanoTime() + Duration.ofSeconds(90).toNanos()))
                    .isTrue();
            assertThat(node.exitCode()).isEqualTo(3);
            assertThat(node.lastLines()).anyMatch(line -> line.contains("OutOfMemoryError"));
        } finally {
            node.kill();
        }
    }

    private static String text(ByteArrayOutputStream shown) {
        return shown.toString(StandardCharsets.UTF_8);
    }

    /** A terminal that stands still until somebody reads on. */
    private static final class Terminal extends OutputStream {

        private final OutputStream shown;
        private final CountDownLatch read;

        Terminal(OutputStream shown, CountDownLatch read) {
            this.shown = shown;
            this.read = read;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            try {
                read.await();
                shown.write(bytes, from, length);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
