package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.subject.Subject;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A JVM of its own that holds a name. */
final class HolderProcess implements AutoCloseable {

    private final Process process;

    private HolderProcess(Process process) {
        this.process = process;
    }

    static HolderProcess start(Subject subject, String jdbcUrl, Duration ttl, String name) throws IOException {
        return new HolderProcess(new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        subject.label(),
                        jdbcUrl,
                        String.valueOf(ttl.toMillis()),
                        name))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    void awaitHeld() throws IOException {
        BufferedReader out = process.inputReader();
        for (String line = out.readLine(); !Holder.HELD.equals(line); line = out.readLine()) {
            if (line == null) {
                throw new IOException("the holder ended before it held anything");
            }
        }
    }

    /** As {@code kill -9} does: SIGKILL, without a chance to say goodbye. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
    }
}
