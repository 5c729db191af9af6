package dev.leasehold.benchmarks.harness;

import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** A pool whose round trips to the server are counted. */
public final class CountedPool implements AutoCloseable {

    private final CountingWire wire;
    private final HikariDataSource pool;

    CountedPool(Server server, String options) {
        this.wire = new CountingWire(server.database());
        this.pool = Bench.pool(server.url(wire.port(), options), Bench.POOL_SIZE);
    }

    public DataSource dataSource() {
        return pool;
    }

    public long roundTrips() {
        return wire.roundTrips();
    }

    /** Opening connections makes round trips too: waits until all are open. */
    public void awaitFull() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (pool.getHikariPoolMXBean().getTotalConnections() < Bench.POOL_SIZE) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("the pool did not fill");
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    @Override
    public void close() {
        pool.close();
        wire.close();
    }
}
