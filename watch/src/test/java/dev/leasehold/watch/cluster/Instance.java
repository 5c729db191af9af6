package dev.leasehold.watch.cluster;

import dev.leasehold.testkit.FreePort;
import dev.leasehold.watch.WatchApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of the service, started as a process of its own and ended by signals. */
final class Instance implements AutoCloseable {

    private final String node;
    private final int port;
    private final Process process;
    private final Path output;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(3)).build();

    private Instance(String node, int port, Process process, Path output) {
        this.node = node;
        this.port = port;
        this.process = process;
        this.output = output;
    }

    static Instance start(String node, String jdbcUrl, Path logs, List<String> properties) throws IOException {
        int port = FreePort.find();
        Path output = logs.resolve(node + "-" + port + ".log");
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx160m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                WatchApplication.class.getName(),
                "--spring.datasource.url=" + jdbcUrl,
                "--watch.node=" + node,
                "--server.port=" + port));
        command.addAll(properties);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Instance(node, port, process, output);
    }

    String node() {
        return node;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Why it is not ready, as it says; empty if it is. */
    String unreadiness() throws InterruptedException {
        try {
            var answer = client.send(request("/health/ready"), BodyHandlers.ofString());
            return answer.statusCode() == 200 ? "" : answer.statusCode() + " " + answer.body();
        } catch (IOException e) {
            return "no answer: " + e;
        }
    }

    /** The status of GET on that path; 0 if nothing answers. */
    int status(String path) throws InterruptedException {
        try {
            return client.send(request(path), BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(3))
                .build();
    }

    /** It does nothing any more, until it is killed or thawed. */
    void freeze() throws Exception {
        signal("STOP");
    }

    void thaw() throws Exception {
        signal("CONT");
    }

    private void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, String.valueOf(pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** Sends SIGTERM and does not wait. */
    void terminate() {
        process.destroy();
    }

    int awaitExit(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError(this + " did not end within " + limit);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    @Override
    public String toString() {
        return node + " (pid " + pid() + ", " + output + ")";
    }
}
