package dev.leasehold.launcher;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Waits until every node says that it is ready. */
final class Readiness {

    private static final Duration POLL = Duration.ofMillis(250);
    private static final Duration TELL = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private final Cluster cluster;
    private final Console console;

    Readiness(Cluster cluster, Console console) {
        this.cluster = cluster;
        this.console = console;
    }

    /** Fails with the node's last lines if one ends before all are ready. */
    void await() throws InterruptedException {
        List<NodeProcess> waiting = new ArrayList<>(cluster.processes());
        long start = System.nanoTime();
        long told = start;
        while (true) {
            waiting.removeIf(this::isReady);
            if (waiting.isEmpty()) {
                return;
            }
            NodeProcess ended = cluster.awaitEnd(POLL);
            if (ended != null) {
                throw endedEarly(ended);
            }
            long now = System.nanoTime();
            if (now - start > PATIENCE.toNanos()) {
                throw LaunchException.failure(
                        labels(waiting) + " not ready after " + PATIENCE.toMinutes() + " minutes");
            }
            if (now - told > TELL.toNanos()) {
                told = now;
                console.say("Waiting for " + labels(waiting) + " to be ready ("
                        + Duration.ofNanos(now - start).toSeconds() + " s) ...");
            }
        }
    }

    private boolean isReady(NodeProcess process) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(process.node().url() + "/health/ready"))
                .timeout(Duration.ofSeconds(2))
                .build();
        try {
            return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false; // not listening yet
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private LaunchException endedEarly(NodeProcess ended) throws InterruptedException {
        List<String> lines = ended.lastLines();
        console.shout("The last lines of " + ended.node().label() + ":");
        lines.forEach(line -> console.show("    " + line + "\n"));
        return LaunchException.failure(
                ended.node().label() + " ended before it was ready, with exit code " + ended.exitCode());
    }

    private static String labels(List<NodeProcess> processes) {
        return String.join(
                ", ", processes.stream().map(process -> process.node().label()).toList());
    }
}
