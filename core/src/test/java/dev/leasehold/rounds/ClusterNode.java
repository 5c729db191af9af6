package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A node of the cluster test as its process is started, killed and frozen, and what it went through. Used by one thread. */
final class ClusterNode {

    private final String node;
    private final String jdbcUrl;
    private final File log;
    private final List<Incident> incidents;
    private final List<Process> processes = new ArrayList<>();
    private Instant frozenAt = Instant.EPOCH;

    enum Kind {
        KILL,
        FREEZE
    }

    /**
     * What befell a process.
     *
     * @param from just before it
     * @param until just after the end of it; just after the kill
     */
    record Incident(Kind kind, long pid, Instant from, Instant until) {}

    ClusterNode(String node, String jdbcUrl, Path log, List<Incident> incidents) {
        this.node = node;
        this.jdbcUrl = jdbcUrl;
        this.log = log.toFile();
        this.incidents = incidents;
    }

    void start() throws Exception {
        processes.add(new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClusterNodeMain.class.getName(),
                        jdbcUrl,
                        node)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .start());
    }

    void strike(Kind kind) throws Exception {
        assertThat(process().isAlive()).as("node %s is alive", node).isTrue();
        Instant now = Instant.now();
        switch (kind) {
            case KILL -> {
                process().destroyForcibly().waitFor();
                incidents.add(new Incident(kind, pid(), now, Instant.now()));
            }
            case FREEZE -> {
                frozenAt = now;
                signal("STOP");
            }
        }
    }

    void recover(Kind kind) throws Exception {
        switch (kind) {
            case KILL -> start();
            case FREEZE -> {
                signal("CONT");
                incidents.add(new Incident(kind, pid(), frozenAt, Instant.now()));
            }
        }
    }

    private void signal(String signal) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** In order: what runs ends. */
    void stop() throws Exception {
        process().getOutputStream().close();
        assertThat(process().waitFor(60, TimeUnit.SECONDS))
                .as("node %s has stopped", node)
                .isTrue();
        assertThat(process().exitValue()).as("node %s has ended well", node).isZero();
    }

    void destroy() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }

    long pid() {
        return process().pid();
    }

    String node() {
        return node;
    }

    /** A process may be given a number again that another had. */
    List<Long> pids() {
        return processes.stream().map(Process::pid).toList();
    }

    private Process process() {
        return processes.get(processes.size() - 1);
    }
}
