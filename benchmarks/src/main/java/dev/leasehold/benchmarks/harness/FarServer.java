package dev.leasehold.benchmarks.harness;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;

/** The same server, at the other end of a network on which each request takes about a millisecond longer. */
public final class FarServer implements AutoCloseable {

    private static final Duration DELAY = Duration.ofMillis(1);

    private final Server server;
    private final CountingWire wire;

    FarServer(Server server) {
        this.server = server;
        this.wire = new CountingWire(server.database(), DELAY);
    }

    /** A pool as near ones are. */
    public HikariDataSource pool() {
        return Bench.pool(server.url(wire.port(), ""), Bench.POOL_SIZE);
    }

    @Override
    public void close() {
        wire.close();
    }
}
