package dev.leasehold.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The launcher in a JVM of its own, its output and its end. */
final class LauncherProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Process process;
    private final List<String> out = new ArrayList<>();
    private final List<String> err = new ArrayList<>();
    private final Thread outReader;
    private final Thread errReader;

    private LauncherProcess(Process process) {
        this.process = process;
        this.outReader = reader(process.inputReader(), out);
        this.errReader = reader(process.errorReader(), err);
    }

    static LauncherProcess start(Path project, List<String> options, String... environment) throws IOException {
        List<String> command = new ArrayList<>(hearingInterrupts());
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Launcher.class.getName(),
                "--project",
                project.toString()));
        command.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(command);
        for (String variable : environment) {
            int equals = variable.indexOf('=');
            builder.environment().put(variable.substring(0, equals), variable.substring(equals + 1));
        }
        return new LauncherProcess(builder.start());
    }

    /** A build that was started in the background ignores SIGINT, and so would what it starts: env can undo that. */
    private static List<String> hearingInterrupts() throws IOException {
        List<String> env = List.of("env", "--default-signal=INT");
        List<String> probe = new ArrayList<>(env);
        probe.add("true");
        try {
            Process tried = new ProcessBuilder(probe)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return tried.waitFor() == 0 ? env : List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    List<String> out() {
        synchronized (out) {
            return List.copyOf(out);
        }
    }

    List<String> err() {
        synchronized (err) {
            return List.copyOf(err);
        }
    }

    /** Waits for a line of the output that holds the pattern; its first group, or the whole find without one. */
    String awaitLine(String pattern) throws InterruptedException {
        Pattern compiled = Pattern.compile(pattern);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        synchronized (out) {
            while (true) {
                for (String line : out) {
                    Matcher matcher = compiled.matcher(line);
                    if (matcher.find()) {
                        return matcher.groupCount() == 0 ? matcher.group() : matcher.group(1);
                    }
                }
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0 || !process.isAlive()) {
                    throw new AssertionError("no line with " + pattern + " in " + out + " " + err());
                }
                out.wait(Math.min(left, 200));
            }
        }
    }

    /** The process that the summary names for a node. */
    ProcessHandle node(String label) throws InterruptedException {
        String pid = awaitLine("^  " + label + " +http://localhost:\\d+   process (\\d+)");
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    String url(String label) throws InterruptedException {
        return awaitLine("^  " + label + " +(http://localhost:\\d+) ");
    }

    int awaitExit() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("the launcher has not ended: " + out());
        }
        outReader.join(PATIENCE.toMillis());
        errReader.join(PATIENCE.toMillis());
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            awaitExit();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread reader(BufferedReader from, List<String> to) {
        Thread thread = new Thread(() -> {
            try {
                for (String line = from.readLine(); line != null; line = from.readLine()) {
                    synchronized (to) {
                        to.add(line);
                        to.notifyAll();
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
