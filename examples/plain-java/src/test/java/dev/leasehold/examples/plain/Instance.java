package dev.leasehold.examples.plain;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** The program as a process of its own. */
final class Instance implements AutoCloseable {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    static final String GIVES_OUT = "this instance gives out the numbers";

    private static final String NUMBER = "number ";

    private final Process process;
    private final Thread reader;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> unread = new LinkedBlockingQueue<>();
    private final CompletableFuture<Instance> leader = new CompletableFuture<>();

    Instance(String jdbcUrl) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-jar",
                        "target/plain-java.jar",
                        jdbcUrl)
                .redirectErrorStream(true)
                .start();
        reader = new Thread(this::read, "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
                unread.add(line);
                if (line.startsWith(GIVES_OUT)) {
                    leader.complete(this);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the next line with that beginning. */
    void await(String beginning) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE;
        String line;
        do {
            line = unread.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new AssertionError("no line \"" + beginning + "\" in time: " + lines);
            }
        } while (!line.startsWith(beginning));
    }

    /** Itself, once it gives out numbers. */
    CompletableFuture<Instance> leader() {
        return leader;
    }

    LongStream numbers() {
        return lines.stream()
                .filter(line -> line.startsWith(NUMBER))
                .mapToLong(line -> Long.parseLong(line.substring(NUMBER.length())));
    }

    /** SIGTERM; answers the exit code, once all of the output has been read: {@code Process.destroy} would cut that off. */
    int terminate() throws InterruptedException {
        boolean unused = process.toHandle().destroy();
        if (!process.waitFor(PATIENCE, TimeUnit.NANOSECONDS)) {
            throw new AssertionError("it does not end: " + lines);
        }
        reader.join();
        return process.exitValue();
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public void close() {
        boolean unused = process.toHandle().destroyForcibly();
    }
}
