package dev.leasehold.spring.database;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** How full the pool is; knows nothing of a source that is no HikariCP pool. Thread-safe. */
public final class PoolGauge {

    private final @Nullable Hikari pool;

    /** Looks at that source, or at what it wraps. HikariCP need not be there. */
    public PoolGauge(DataSource dataSource) {
        this.pool = ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", PoolGauge.class.getClassLoader())
                ? Hikari.in(dataSource)
                : null;
    }

    /** Whether anything is known of the pool. */
    public boolean isKnown() {
        return pool != null;
    }

    /** Whether every connection the pool may open is lent. */
    public boolean isFull() {
        return pool != null && pool.isFull();
    }

    /** Whether somebody waits for a connection. */
    public boolean isWaitedFor() {
        return pool != null && pool.isWaitedFor();
    }

    /** For people, such as {@code pool of 4}. */
    public String size() {
        return pool == null
                ? "pool of unknown size"
                : "pool of " + pool.source().getMaximumPoolSize();
    }

    /** Has the pool drop that lent connection instead of lending it again; does nothing without a pool that is known. */
    void drop(Connection lent) {
        if (pool != null) {
            pool.source().evictConnection(lent);
        }
    }

    /** Loaded only where HikariCP is there. */
    private record Hikari(HikariDataSource source) {

        static @Nullable Hikari in(DataSource dataSource) {
            try {
                return dataSource.isWrapperFor(HikariDataSource.class)
                        ? new Hikari(dataSource.unwrap(HikariDataSource.class))
                        : null;
            } catch (SQLException | RuntimeException e) {
                return null; // such as of a source that routes by the calling thread, which has no route
            }
        }

        boolean isFull() {
            HikariPoolMXBean now = source.getHikariPoolMXBean();
            return now != null && now.getActiveConnections() >= source.getMaximumPoolSize();
        }

        boolean isWaitedFor() {
            HikariPoolMXBean now = source.getHikariPoolMXBean();
            return now != null && now.getThreadsAwaitingConnection() > 0;
        }
    }
}
