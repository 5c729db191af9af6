package dev.leasehold.launcher;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The nodes of this run, started one by one and ended together. Thread-safe. */
final class Cluster implements Part {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final DataFolder data;
    private final Console console;
    private final List<NodeProcess> processes = new ArrayList<>();
    private final BlockingQueue<NodeProcess> ends = new LinkedBlockingQueue<>();
    private boolean ended;

    Cluster(DataFolder data, Console console) {
        this.data = data;
        this.console = console;
    }

    synchronized NodeProcess start(Node node, ProcessBuilder command) throws IOException {
        if (ended) {
            throw new CancellationException("the run is ending");
        }
        NodeProcess process = NodeProcess.start(node, command, data.freshLog(node.logName()), console);
        processes.add(process);
        var unused = process.onExit().thenAccept(ends::add);
        return process;
    }

    synchronized List<NodeProcess> processes() {
        return List.copyOf(processes);
    }

    long living() {
        return processes().stream().filter(NodeProcess::isAlive).count();
    }

    /** The next node that ended, in the order of their ends; null if none did in that time. */
    @Nullable
    NodeProcess awaitEnd(Duration patience) throws InterruptedException {
        return ends.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    NodeProcess awaitEnd() throws InterruptedException {
        return ends.take();
    }

    /** SIGTERM to all at once, time for the rounds that run, then SIGKILL. */
    @Override
    public synchronized void end() throws InterruptedException {
        ended = true;
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        processes.forEach(NodeProcess::terminate);
        for (NodeProcess process : processes) {
            if (!process.endsBy(deadline)) {
                console.shout(process.node().label() + " has not ended within " + PATIENCE.toSeconds() + " s: killed.");
                process.kill();
            }
            process.awaitOutput();
        }
    }
}
