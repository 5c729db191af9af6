package dev.leasehold.watch.database;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** How full the pool is; knows nothing of a source that is no HikariCP pool. Thread-safe. */
public final class PoolGauge {

    private final @Nullable HikariDataSource pool;

    public PoolGauge(DataSource dataSource) {
        try {
            this.pool =
                    dataSource.isWrapperFor(HikariDataSource.class) ? dataSource.unwrap(HikariDataSource.class) : null;
        } catch (SQLException e) {
            throw new IllegalArgumentException("not a usable data source: " + dataSource, e);
        }
    }

    /** Whether every connection the pool may open is lent. */
    public boolean isFull() {
        HikariPoolMXBean now = now();
        return pool != null && now != null && now.getActiveConnections() >= pool.getMaximumPoolSize();
    }

    /** Whether somebody waits for a connection. */
    public boolean isWaitedFor() {
        HikariPoolMXBean now = now();
        return now != null && now.getThreadsAwaitingConnection() > 0;
    }

    /** For people, such as {@code pool of 4}. */
    public String size() {
        return pool == null ? "pool of unknown size" : "pool of " + pool.getMaximumPoolSize();
    }

    private @Nullable HikariPoolMXBean now() {
        return pool == null ? null : pool.getHikariPoolMXBean();
    }
}
