package dev.leasehold.benchmarks.harness;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** The embedded PostgreSQL, durable, and what its own counters say. */
public final class Server implements AutoCloseable {

    private final TestServer server;
    private final TestDatabase database;
    private final Connection observer;

    /** No checkpoint falls into a measurement by time alone, so that none slows whoever happens to be measured. */
    public Server() throws SQLException {
        this.server = TestServer.start(Map.of("checkpoint_timeout", "1h", "max_wal_size", "2GB"));
        this.database = server.freshDatabase();
        this.observer = database.connect();
    }

    public TestDatabase database() {
        return database;
    }

    /** With server settings for each connection, as {@code -c name=value}; empty for none. */
    public String url(int port, String options) {
        return "jdbc:postgresql://localhost:" + port + "/" + database.name() + "?user=" + database.user()
                + (options.isEmpty()
                        ? ""
                        : "&options="
                                + URLEncoder.encode(options, StandardCharsets.UTF_8)
                                        .replace("+", "%20"));
    }

    public String setting(String name) throws SQLException {
        return database.queryForString("select current_setting('" + name + "')") + "";
    }

    /** The position in the write-ahead log. */
    public long walBytes() throws SQLException {
        return number("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
    }

    /** The transaction id that is given next; asking takes none. */
    public long nextTransactionId() throws SQLException {
        return number("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint");
    }

    public long tableBytes(String table) throws SQLException {
        return number("select pg_table_size('" + table + "')");
    }

    public long indexBytes(String table) throws SQLException {
        return number("select pg_indexes_size('" + table + "')");
    }

    public void empty(String table) throws SQLException {
        database.execute("truncate table " + table);
    }

    /** All tables but the catalog's. */
    public void vacuum() throws SQLException {
        database.execute("vacuum (analyze) "
                + database.queryForString("select string_agg(relid::regclass::text, ', ') from pg_stat_user_tables"));
    }

    private synchronized long number(String sql) throws SQLException {
        try (var statement = observer.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Override
    public void close() throws SQLException {
        observer.close();
        server.close();
    }
}
