package dev.leasehold.spring.database;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.util.ClassUtils;

/** How full the pool is; knows nothing of a source that is no pool, or one that neither it nor Spring Boot knows. Thread-safe. */
public final class PoolGauge {

    private final @Nullable Hikari pool;
    private final @Nullable DataSourcePoolMetadata otherPool;

    /** Looks at that source, or at what it wraps, for HikariCP's pool, which need not be there. */
    public PoolGauge(DataSource dataSource) {
        this(dataSource, source -> null);
    }

    /** Looks for other pools too, as far as {@code others} knows them. */
    PoolGauge(DataSource dataSource, DataSourcePoolMetadataProvider others) {
        this.pool = ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", PoolGauge.class.getClassLoader())
                ? Hikari.in(dataSource)
                : null;
        this.otherPool = pool == null ? others.getDataSourcePoolMetadata(dataSource) : null;
    }

    /** Whether anything is known of the pool. */
    public boolean isKnown() {
        return pool != null || mostOfOther() > 0;
    }

    /** Whether every connection the pool may open is lent. */
    public boolean isFull() {
        return pool == null ? isOtherFull() : pool.isFull();
    }

    private boolean isOtherFull() {
        Integer lent = otherPool == null ? null : otherPool.getActive();
        return lent != null && mostOfOther() > 0 && lent >= mostOfOther();
    }

    /** Zero or less if that is not known, or there is no limit. */
    private int mostOfOther() {
        Integer most = otherPool == null ? null : otherPool.getMax();
        return most == null ? 0 : most;
    }

    /** Whether somebody waits for a connection; known of HikariCP's pool only. */
    public boolean isWaitedFor() {
        return pool != null && pool.isWaitedFor();
    }

    /** For people, such as {@code pool of 4}. */
    public String size() {
        int most = pool == null ? mostOfOther() : pool.source().getMaximumPoolSize();
        return "pool of " + (most > 0 ? most : "unknown size");
    }

    /** Has HikariCP's pool drop that lent connection instead of lending it again; of others does nothing. */
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
