package dev.leasehold.launcher;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Follows the log file that a node writes, brings it to the console line by line, and keeps the last lines. Thread-safe.
 *
 * <p>The node writes the file itself: through a pipe, a launcher that stands still, or a terminal that nobody reads,
 * would hold up every thread of the node that logs, while its leases go on being renewed.
 */
final class NodeOutput {

    private static final int KEPT = 25;
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Node node;
    private final Console console;
    private final Deque<String> last = new ArrayDeque<>();
    private final ByteArrayOutputStream unfinished = new ByteArrayOutputStream();
    private final Thread thread;

    private NodeOutput(Node node, Process process, Path log, Console console) {
        this.node = node;
        this.console = console;
        this.thread = new Thread(() -> follow(process, log), "output of " + node.label());
        thread.setDaemon(true);
    }

    static NodeOutput follow(Node node, Process process, Path log, Console console) {
        NodeOutput output = new NodeOutput(node, process, log, console);
        output.thread.start();
        return output;
    }

    /** The last lines, once the output of an ended process has been read. */
    List<String> lastLines() throws InterruptedException {
        awaitEnd();
        synchronized (last) {
            return List.copyOf(last);
        }
    }

    /** Waits a little until all is shown that an ended process has written: the console may stand still. */
    void awaitEnd() throws InterruptedException {
        thread.join(PATIENCE.toMillis());
    }

    private void follow(Process process, Path log) {
        try (SeekableByteChannel file = Files.newByteChannel(log)) {
            boolean ended;
            do {
                ended = process.waitFor(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
                readToEnd(file);
            } while (!ended);
            if (unfinished.size() > 0) {
                finishLine();
            }
        } catch (IOException | InterruptedException e) {
            console.shout("The output of " + node.label() + " can't be followed any more, see " + log + ": " + e);
        }
    }

    private void readToEnd(SeekableByteChannel file) throws IOException {
        if (file.size() < file.position()) {
            file.position(0); // somebody has emptied it
        }
        ByteBuffer buffer = ByteBuffer.allocate(8192);
        while (file.read(buffer) > 0) {
            for (buffer.flip(); buffer.hasRemaining(); ) {
                byte next = buffer.get();
                if (next == '\n') {
                    finishLine();
                } else {
                    unfinished.write(next);
                }
            }
            buffer.clear();
        }
    }

    private void finishLine() {
        String line = unfinished.toString(StandardCharsets.UTF_8);
        unfinished.reset();
        String shown = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
        console.relay(node.label(), node.place(), shown);
        keep(shown);
    }

    private void keep(String line) {
        synchronized (last) {
            last.addLast(line);
            if (last.size() > KEPT) {
                last.removeFirst();
            }
        }
    }
}
