package dev.leasehold.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Brings a node's output to the console and to its log file, line by line, and keeps the last lines. Thread-safe. */
final class NodeOutput {

    private static final int KEPT = 25;

    private final Node node;
    private final Console console;
    private final Deque<String> last = new ArrayDeque<>();
    private final Thread thread;

    private NodeOutput(Node node, InputStream from, Path log, Console console) {
        this.node = node;
        this.console = console;
        this.thread = new Thread(() -> copy(from, log), "output of " + node.label());
        thread.setDaemon(true);
    }

    static NodeOutput follow(Node node, InputStream from, Path log, Console console) {
        NodeOutput output = new NodeOutput(node, from, log, console);
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

    /** Waits a little for the end of the output: a child of the node may hold it open. */
    void awaitEnd() throws InterruptedException {
        thread.join(Duration.ofSeconds(2).toMillis());
    }

    private void copy(InputStream from, Path log) {
        try (var lines = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8));
                var file = new PrintWriter(Files.newBufferedWriter(log), true)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                file.println(line);
                console.relay(node.label(), node.place(), line);
                keep(line);
            }
        } catch (IOException e) {
            console.shout("The output of " + node.label() + " can't be followed any more: " + e);
        }
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
