package dev.leasehold.rounds;

import dev.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** What the runs of the cluster test write down of themselves, on connections that have no part in leases. */
final class RunRecords {

    private final DataSource dataSource;
    private final String node;

    /** A run by its own account; without an end if it died. */
    record Run(
            String name, Instant slot, String node, long pid, long fence, Instant beganAt, Optional<Instant> endedAt) {}

    /** Committed by a run of a round whose promise is exactly once. */
    record Effect(String name, Instant slot, long fence) {}

    /** The work between the two records. */
    interface Work {
        void run() throws Exception;
    }

    RunRecords(DataSource dataSource, String node) {
        this.dataSource = dataSource;
        this.node = node;
    }

    /** Without any constraint, so that what is there twice is seen. */
    static void create(TestDatabase database) throws SQLException {
        database.execute("create table node_start (pid bigint, node text, at timestamptz)");
        database.execute("create table effect (name text, slot timestamptz, fence bigint)");
        database.execute("""
                create table run (
                  name text, slot timestamptz, node text, pid bigint, fence bigint, began_at timestamptz, ended_at timestamptz)
                """);
        database.execute("create index on run (name, fence)");
    }

    static List<Run> runs(Account account) throws SQLException {
        return account.read(
                "select * from run order by name, fence",
                row -> new Run(
                        row.getString("name"),
                        Account.instant(row, "slot"),
                        row.getString("node"),
                        row.getLong("pid"),
                        row.getLong("fence"),
                        Account.instant(row, "began_at"),
                        row.getString("ended_at") == null
                                ? Optional.empty()
                                : Optional.of(Account.instant(row, "ended_at"))));
    }

    static List<Effect> effects(Account account) throws SQLException {
        return account.read(
                "select * from effect",
                row -> new Effect(row.getString("name"), Account.instant(row, "slot"), row.getLong("fence")));
    }

    void nodeStarted() throws SQLException {
        execute("insert into node_start values (?, ?, clock_timestamp())", pid(), node);
    }

    void during(RoundContext context, Work work) throws Exception {
        String name = context.lease().name();
        execute(
                "insert into run values (?, ?::timestamptz, ?, ?, ?, clock_timestamp())",
                name,
                context.slot().toString(),
                node,
                pid(),
                context.fence());
        try {
            work.run();
        } finally {
            execute("update run set ended_at = clock_timestamp() where name = ? and fence = ?", name, context.fence());
        }
    }

    /** In the transaction that a run was given. */
    static void effect(RoundContext context, Connection connection) throws SQLException {
        execute(
                connection,
                "insert into effect values (?, ?::timestamptz, ?)",
                context.lease().name(),
                context.slot().toString(),
                context.fence());
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }

    private void execute(String sql, Object... values) throws SQLException {
        try (var connection = dataSource.getConnection()) {
            execute(connection, sql, values);
        }
    }

    private static void execute(Connection connection, String sql, Object... values) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }
}
