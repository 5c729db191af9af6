package dev.leasehold.spring.database;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.metadata.AbstractDataSourcePoolMetadata;

/** A pool as Spring Boot tells of those it knows. */
final class PoolCounts extends AbstractDataSourcePoolMetadata<DataSource> {

    private final @Nullable Integer active;
    private final @Nullable Integer max;
    private final Runnable beforeALook;

    PoolCounts(DataSource source, @Nullable Integer active, @Nullable Integer max) {
        this(source, active, max, () -> {});
    }

    PoolCounts(DataSource source, @Nullable Integer active, @Nullable Integer max, Runnable beforeALook) {
        super(source);
        this.beforeALook = beforeALook;
        this.active = active;
        this.max = max;
    }

    @Override
    public @Nullable Integer getActive() {
        beforeALook.run();
        return active;
    }

    @Override
    public @Nullable Integer getMax() {
        return max;
    }

    @Override
    public @Nullable Integer getMin() {
        return null;
    }

    @Override
    public @Nullable String getValidationQuery() {
        return null;
    }

    @Override
    public @Nullable Boolean getDefaultAutoCommit() {
        return null;
    }
}
