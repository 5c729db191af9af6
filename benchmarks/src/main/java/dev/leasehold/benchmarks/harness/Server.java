package dev.leasehold.benchmarks.harness;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import java.sql.SQLException;
import java.util.Map;

/** The embedded PostgreSQL, durable, and what its own counters say. */
public final class Server implements AutoCloseable {

    private final TestServer server;
    private final TestDatabase database;

    /** No checkpoint falls into a measurement by time alone, so that none slows whoever happens to be measured. */
    public Server() {
        this.server = TestServer.start(Map.of("checkpoint_timeout", "1h", "max_wal_size", "2GB"));
        this.database = server.freshDatabase();
    }

    public TestDatabase database() {
        return database;
    }

    public String version() throws SQLException {
        return String.valueOf(database.queryForString("select current_setting('server_version')"));
    }

    /** The position in the write-ahead log. */
    public long walBytes() throws SQLException {
        return database.queryForLong("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
    }

    /** The transaction id that is given next; asking takes none. */
    public long nextTransactionId() throws SQLException {
        return database.queryForLong("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint");
    }

    public void vacuum() throws SQLException {
        database.execute("vacuum (analyze)");
    }

    @Override
    public void close() {
        server.close();
    }
}
