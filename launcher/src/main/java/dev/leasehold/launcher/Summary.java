package dev.leasehold.launcher;

import java.util.List;

/** What is to be known once all nodes are ready: where to look, what happens, how to see a takeover. */
final class Summary {

    private static final String WORK = """

            Four kinds of work, each exclusive by a lease in the database:
              uptime checks      every 10 s    one instance a node      requests each monitor
              alert evaluation   every 30 s    one instance of all      compares results with the stored state, notifies
              mail security      every 15 min  one instance of all      looks up SPF and DMARC of the domains due
              sweep              every hour    one instance of all      removes what is expired
            """;

    private Summary() {}

    static String of(List<NodeProcess> processes, DataFolder data, String database) {
        StringBuilder text = new StringBuilder("\nWatch is running:\n");
        for (NodeProcess process : processes) {
            text.append("  %-10s %s   process %d%n"
                    .formatted(process.node().label(), process.node().url(), process.pid()));
        }
        text.append(WORK);
        text.append('\n');
        text.append("Database   ").append(database).append('\n');
        text.append("Logs       ").append(data.logs()).append('\n');
        takeover(text, processes);
        text.append("End        Ctrl-C: the nodes get up to ")
                .append(Cluster.PATIENCE.toSeconds())
                .append(" s; nothing is left running\n\n");
        return text.toString();
    }

    private static void takeover(StringBuilder text, List<NodeProcess> processes) {
        if (processes.size() < 2) {
            return;
        }
        NodeProcess first = processes.get(0);
        NodeProcess last = processes.get(processes.size() - 1);
        text.append("Takeover   kill -9 ")
                .append(first.pid())
                .append("   ends ")
                .append(first.node().label())
                .append(" as a crash would; see at ")
                .append(last.node().url())
                .append(" how work goes on\n           (a lease that it holds runs out in two minutes at most)\n");
    }
}
