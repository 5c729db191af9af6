package dev.leasehold.launcher;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The JVM of a node while it runs, and what is known after its end. */
final class NodeProcess {

    private final Node node;
    private final Process process;
    private final NodeOutput output;

    private NodeProcess(Node node, Process process, NodeOutput output) {
        this.node = node;
        this.process = process;
        this.output = output;
    }

    /** The log is continued; what it already holds is shown once more, so begin with none. */
    static NodeProcess start(Node node, ProcessBuilder command, Path log, Console console) throws IOException {
        Process process = command.redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(Redirect.appendTo(log.toFile()))
                .start();
        return new NodeProcess(node, process, NodeOutput.follow(node, process, log, console));
    }

    Node node() {
        return node;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    CompletableFuture<NodeProcess> onExit() {
        return process.onExit().thenApply(ended -> this);
    }

    /** Of an ended process; 128 + n after signal n. */
    int exitCode() {
        return process.exitValue();
    }

    List<String> lastLines() throws InterruptedException {
        return output.lastLines();
    }

    void terminate() {
        process.destroy();
    }

    /** Waits until a reading of {@link System#nanoTime}. */
    boolean endsBy(long deadlineNanos) throws InterruptedException {
        return process.waitFor(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    void kill() {
        process.destroyForcibly();
    }

    void awaitOutput() throws InterruptedException {
        output.awaitEnd();
    }
}
