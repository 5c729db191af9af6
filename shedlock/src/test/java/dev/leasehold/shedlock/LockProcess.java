package dev.leasehold.shedlock;

import dev.leasehold.testkit.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** {@link LockMain} in a JVM of its own, on this host. */
final class LockProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    private LockProcess(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * What it asks for.
     *
     * @param clockAhead how wrong ShedLock's clock is there
     */
    record Asked(Duration atMost, Duration atLeast, Duration clockAhead) {

        static Asked atMost(Duration atMost) {
            return new Asked(atMost, Duration.ZERO, Duration.ZERO);
        }
    }

    static LockProcess start(TestDatabase database, LockMain.Maker maker, Asked asked) throws IOException {
        return new LockProcess(new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockMain.class.getName(),
                        database.jdbcUrl(),
                        maker.name(),
                        asked.atMost().toString(),
                        asked.atLeast().toString(),
                        asked.clockAhead().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** The next thing that it says. */
    String says() throws IOException {
        return String.valueOf(output.readLine());
    }

    void unlock() throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).append("unlock\n").flush();
    }

    /** {@code STOP} or {@code CONT}. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    /** As kill -9 does; over when it has ended. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
