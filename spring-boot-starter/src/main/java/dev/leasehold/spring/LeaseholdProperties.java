package dev.leasehold.spring;

import dev.leasehold.SchemaMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code leasehold.*}.
 *
 * @param enabled whether there is a {@code Leases} bean
 * @param ttl how long a lease lasts without renewal
 * @param renewEvery how often leases are renewed; a quarter of the ttl if not set
 * @param margin how much earlier than the ttl a holder stops to trust its lease; a twelfth of the ttl if not set
 * @param table the lease table, {@code table} or {@code schema.table}
 * @param schema what to do about the lease table at start: create, validate or none
 * @param dataSource the name of the {@code DataSource} bean to use, where there are several
 */
@ConfigurationProperties("leasehold")
public record LeaseholdProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("2m") Duration ttl,
        @Nullable Duration renewEvery,
        @Nullable Duration margin,
        @DefaultValue("leases") String table,
        @DefaultValue("create") SchemaMode schema,
        @Nullable String dataSource) {}
