package dev.leasehold.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a killed launcher has left running: nodes, and the database server under them.
 *
 * <p>Each node's JVM carries {@link #mark} as an argument, which names the real path of this data folder. So a process
 * is ours by what it is, not by a number in a file that may belong to somebody else by now; and a node is found that was
 * started an instant before the kill. Call it only while the {@link RunLock} is held.
 */
final class Leftovers {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration AFTER_KILL = Duration.ofSeconds(5);

    private final DataFolder data;
    private final Console console;
    private final Duration patience;

    Leftovers(DataFolder data, Console console) {
        this(data, console, PATIENCE);
    }

    /** With another time for what is asked to end, before it is killed. */
    Leftovers(DataFolder data, Console console, Duration patience) {
        this.data = data;
        this.console = console;
        this.patience = patience;
    }

    static String mark(DataFolder data) {
        return "-Dleasehold.data=" + data.root();
    }

    void end() throws IOException, InterruptedException {
        endNodes();
        endCommands();
        endServer();
    }

    private void endNodes() throws InterruptedException {
        List<ProcessHandle> nodes = running("java", mark(data));
        if (nodes.isEmpty()) {
            return;
        }
        console.say("Ending " + nodes.size() + " node(s) that a killed run has left: processes " + pids(nodes));
        nodes.forEach(ProcessHandle::destroy);
        if (!Poll.until(patience, () -> running("java", mark(data)).isEmpty())) {
            kill(nodes);
        }
    }

    /** An initdb still writes the cluster that is to be created again; a pg_ctl waits for the server it has started. */
    private void endCommands() throws InterruptedException {
        String directory = data.postgres().toString();
        List<ProcessHandle> creating = new ArrayList<>(running("initdb", directory));
        creating.addAll(creating.stream().flatMap(ProcessHandle::descendants).toList());
        if (!creating.isEmpty()) {
            console.say("Ending the creation of a database that a killed run has left: processes " + pids(creating));
            creating.forEach(ProcessHandle::destroy);
        }
        if (!Poll.until(
                patience,
                () -> creating.stream().noneMatch(Leftovers::isRunning)
                        && running("pg_ctl", directory).isEmpty())) {
            kill(creating);
        }
    }

    private void endServer() throws IOException, InterruptedException {
        if (!Files.isDirectory(data.postgres())) {
            return;
        }
        Optional<Postmaster> server = Postmaster.runningOn(data.postgres());
        if (server.isPresent()) {
            console.say("Ending the PostgreSQL that a killed run has left: process "
                    + server.get().pid());
            server.get().stop(patience);
        }
    }

    /** A process keeps its ports and files for an instant after the signal. */
    private static void kill(List<ProcessHandle> processes) throws InterruptedException {
        processes.forEach(ProcessHandle::destroyForcibly);
        boolean unused = Poll.until(AFTER_KILL, () -> processes.stream().noneMatch(Leftovers::isRunning));
    }

    private static List<ProcessHandle> running(String program, String argument) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .command()
                        .filter(command -> command.endsWith("/" + program))
                        .isPresent())
                .filter(process -> process.info()
                        .arguments()
                        .filter(arguments -> List.of(arguments).contains(argument))
                        .isPresent())
                .toList();
    }

    private static boolean isRunning(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }

    private static String pids(List<ProcessHandle> processes) {
        return String.join(
                ", ",
                processes.stream().map(process -> Long.toString(process.pid())).toList());
    }
}
