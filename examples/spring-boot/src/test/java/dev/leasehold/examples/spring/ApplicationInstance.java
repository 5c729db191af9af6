package dev.leasehold.examples.spring;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The application's jar as a process of its own, with a ttl of eight seconds. */
final class ApplicationInstance implements AutoCloseable {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    private final Process process;
    private final Thread reader;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> unread = new LinkedBlockingQueue<>();
    private final CompletableFuture<String> port = new CompletableFuture<>();
    private final CompletableFuture<ApplicationInstance> sending = new CompletableFuture<>();
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private ApplicationInstance(List<String> command) throws IOException {
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        reader = new Thread(this::read, "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    static ApplicationInstance start(String jdbcUrl, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx160m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(options));
        command.addAll(List.of(
                "-jar",
                "target/spring-boot.jar",
                "--server.port=0",
                "--spring.datasource.url=" + jdbcUrl,
                "--leasehold.ttl=8s"));
        return new ApplicationInstance(command);
    }

    private void read() {
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
                unread.add(line);
                Matcher started = PORT.matcher(line);
                if (started.find()) {
                    port.complete(started.group(1));
                }
                if (line.contains("letter 1 of 10")) {
                    sending.complete(this);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Itself, once it sends the newsletter. */
    CompletableFuture<ApplicationInstance> sending() {
        return sending;
    }

    /** Waits for the next line with that in it. */
    void await(String text) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE;
        String line;
        do {
            line = unread.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new AssertionError("no line with \"" + text + "\" in time:\n" + String.join("\n", lines));
            }
        } while (!line.contains(text));
    }

    List<String> lines() {
        return lines;
    }

    /** What follows that text in the lines that have it. */
    Stream<String> after(String text) {
        return lines.stream()
                .filter(line -> line.contains(text))
                .map(line -> line.substring(line.indexOf(text) + text.length()));
    }

    String get(String path) throws Exception {
        return client.send(request(path).GET().build(), BodyHandlers.ofString()).body();
    }

    CompletableFuture<HttpResponse<String>> post(String path) throws Exception {
        HttpRequest request =
                request(path).POST(HttpRequest.BodyPublishers.noBody()).build();
        return client.sendAsync(request, BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) throws Exception {
        String started = port.get(PATIENCE, TimeUnit.NANOSECONDS);
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + started + path))
                .timeout(Duration.ofSeconds(20));
    }

    long pid() {
        return process.pid();
    }

    /** It does nothing any more, until it is killed or thawed. */
    void freeze() throws Exception {
        signal("STOP");
    }

    void thaw() throws Exception {
        signal("CONT");
    }

    private void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, String.valueOf(pid())).inheritIO().start().waitFor();
    }

    /** {@code kill -9}, once all of the output has been read. */
    void kill() throws InterruptedException {
        boolean unused = process.toHandle().destroyForcibly();
        reader.join();
    }

    /** SIGTERM; answers the exit code, once all of the output has been read: {@code Process.destroy} would cut that off. */
    int terminate() throws InterruptedException {
        boolean unused = process.toHandle().destroy();
        if (!process.waitFor(PATIENCE, TimeUnit.NANOSECONDS)) {
            throw new AssertionError("it does not end:\n" + String.join("\n", lines));
        }
        reader.join();
        return process.exitValue();
    }

    @Override
    public void close() {
        boolean unused = process.toHandle().destroyForcibly();
    }
}
