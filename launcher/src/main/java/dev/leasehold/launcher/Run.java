package dev.leasehold.launcher;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** One run from the first look for leftovers to the end of the last node. */
final class Run {

    private static final int CONNECTIONS_PER_INSTANCE = 4;
    private static final int CONNECTIONS_TO_SPARE = 40;

    private final Options options;
    private final DataFolder data;
    private final Console console;
    private final Lifecycle lifecycle;

    Run(Options options, DataFolder data, Console console, Lifecycle lifecycle) {
        this.options = options;
        this.data = data;
        this.console = console;
        this.lifecycle = lifecycle;
    }

    /** Comes back when all nodes have died, and throws if they never got ready. */
    void untilNoNodeLives() throws Exception {
        Optional<DatabaseUrl> given = options.databaseUrl.map(DatabaseUrl::parse);
        Path watchJar = options.watchJar.isPresent() ? options.watchJar.get() : WatchJar.in(options.project);

        lifecycle.open(() -> RunLock.take(data.lock()));
        new Leftovers(data, console).end();
        given.ifPresent(DatabaseProbe::check); // only now: the server that is given may have been a leftover
        DatabaseUrl database = given.isPresent() ? given.get() : embedded();
        List<Node> nodes = Node.plan(
                options.nodes, options.instancesPerNode, new Ports(console).free(options.port, options.instances()));
        Path monitors =
                options.monitors.isPresent() ? options.monitors.get().toRealPath() : SampleMonitors.write(data, nodes);

        Cluster cluster = lifecycle.open(() -> new Cluster(data, console));
        NodeCommand command = new NodeCommand(watchJar, data, database, monitors);
        for (Node node : nodes) {
            cluster.start(node, command.of(node));
        }
        new Readiness(cluster, console).await();
        console.show(Summary.of(cluster.processes(), data, describe(database, given.isPresent())));
        watch(cluster);
    }

    private DatabaseUrl embedded() throws Exception {
        console.say("Starting PostgreSQL, data in " + data.postgres() + " ...");
        int connections = options.instances() * CONNECTIONS_PER_INSTANCE + CONNECTIONS_TO_SPARE;
        return lifecycle
                .open(() -> EmbeddedDatabase.start(data, connections, console))
                .url();
    }

    private String describe(DatabaseUrl database, boolean given) {
        return given ? database.place() : database.place() + ", user postgres; its data: " + data.postgres();
    }

    private void watch(Cluster cluster) throws InterruptedException {
        do {
            NodeProcess ended = cluster.awaitEnd();
            if (!lifecycle.isEnding()) {
                console.shout(ended.node().label() + " (process " + ended.pid() + ") has died with exit code "
                        + ended.exitCode() + ". Still alive: " + cluster.living() + ".");
            }
        } while (cluster.living() > 0);
    }
}
