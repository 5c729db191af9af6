package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A real {@code leasehold exec}: a JVM of its own, with what it says in files. */
final class ExecProcess implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 60;

    private final Process process;
    private final Path out;
    private final Path err;

    private ExecProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts it on that database. */
    static ExecProcess start(Path folder, TestDatabase database, String... arguments) throws IOException {
        return start(folder, database.jdbcUrl(), arguments);
    }

    /** Starts it on the database of that URL; the name of the lease is the first argument. */
    static ExecProcess start(Path folder, String url, String... arguments) throws IOException {
        return start(folder, url, Map.of(), arguments);
    }

    /** The same, with those variables in its environment. */
    static ExecProcess start(Path folder, String url, Map<String, String> variables, String... arguments)
            throws IOException {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        var builder = builder(url, arguments).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(variables);
        return new ExecProcess(builder.start(), out, err);
    }

    /** Not started yet: for tests that want to change its surroundings. */
    static ProcessBuilder builder(String url, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Leasehold.class.getName(),
                "exec",
                arguments[0],
                "--url",
                url));
        command.addAll(List.of(arguments).subList(1, arguments.length));
        return new ProcessBuilder(command);
    }

    long pid() {
        return process.pid();
    }

    boolean isRunning() {
        return process.isAlive();
    }

    /** Waits for its end, and answers its exit code. */
    int exitCode() throws Exception {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("ended; it said:%n%s%s", out(), err())
                .isTrue();
        return process.exitValue();
    }

    /** Sends it a signal, such as {@code STOP}. */
    void signal(String name) throws Exception {
        signal(process.pid(), name);
    }

    static void signal(long pid, String name) throws Exception {
        Process kill = new ProcessBuilder("sh", "-c", "kill -s \"$0\" \"$1\"", name, Long.toString(pid))
                .inheritIO()
                .start();
        assertThat(kill.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }

    /** A dead process that nobody has waited for yet counts as ended. */
    static boolean runs(long pid) throws Exception {
        Process ps = new ProcessBuilder("ps", "-o", "stat=", "-p", Long.toString(pid)).start();
        String state = new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        return !state.isBlank() && !state.startsWith("Z");
    }

    static void awaitEnd(long... pids) throws Exception {
        for (long pid : pids) {
            Await.until("process " + pid + " has ended", () -> !runs(pid));
        }
    }

    /**
     * Whether a signal is ignored here, and so by all that is started: INT where a shell has started the tests in the background, HUP
     * under {@code nohup}.
     */
    static boolean isIgnored(String name) throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", "kill -s " + name + " $$; exit 7").start();
        assertThat(shell.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return shell.exitValue() == 7;
    }

    /** Ends the test where that signal would have no effect. */
    static void assumeNotIgnored(String name) throws Exception {
        assumeFalse(isIgnored(name), "SIG" + name + " is ignored here, and so it is by all that is started");
    }

    String out() throws IOException {
        return Files.readString(out);
    }

    String err() throws IOException {
        return Files.readString(err);
    }

    /** Kills it, and what it has started. */
    @Override
    public void close() {
        List<ProcessHandle> family = process.descendants().toList();
        process.destroyForcibly();
        family.forEach(ProcessHandle::destroyForcibly);
    }
}
