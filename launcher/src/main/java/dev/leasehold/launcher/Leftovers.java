package dev.leasehold.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
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

    private final DataFolder data;
    private final Console console;

    Leftovers(DataFolder data, Console console) {
        this.data = data;
        this.console = console;
    }

    static String mark(DataFolder data) {
        return "-Dleasehold.data=" + data.root();
    }

    void end() throws IOException, InterruptedException {
        endNodes();
        endServer();
    }

    private void endNodes() throws InterruptedException {
        String mark = mark(data);
        List<ProcessHandle> nodes = ProcessHandle.allProcesses()
                .filter(process -> isJavaWith(mark, process))
                .toList();
        if (nodes.isEmpty()) {
            return;
        }
        console.say("Ending " + nodes.size() + " node(s) that a killed run has left: processes "
                + String.join(
                        ", ",
                        nodes.stream().map(node -> Long.toString(node.pid())).toList()));
        nodes.forEach(ProcessHandle::destroy);
        if (!Poll.until(PATIENCE, () -> nodes.stream().noneMatch(node -> isJavaWith(mark, node)))) {
            nodes.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static boolean isJavaWith(String argument, ProcessHandle process) {
        ProcessHandle.Info info = process.info();
        return info.command().filter(command -> command.endsWith("/java")).isPresent()
                && info.arguments()
                        .filter(arguments -> List.of(arguments).contains(argument))
                        .isPresent();
    }

    private void endServer() throws IOException, InterruptedException {
        if (!Files.isDirectory(data.postgres())) {
            return;
        }
        Optional<Postmaster> server = Postmaster.runningOn(data.postgres());
        if (server.isPresent()) {
            console.say("Ending the PostgreSQL that a killed run has left: process "
                    + server.get().pid());
            server.get().stop(PATIENCE);
        }
    }
}
