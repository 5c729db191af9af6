package dev.leasehold.spring.integration;

import dev.leasehold.LossPolicy;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code leasehold.integration.*}.
 *
 * @param enabled whether there is a {@code LockRegistry} on leases
 * @param prefix what the names of the leases under its locks begin with; may be empty
 * @param onLoss what happens to the owner of a lock whose lease is lost, or not confirmed in time
 */
@ConfigurationProperties("leasehold.integration")
public record LeaseLockProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue(LeaseLockRegistry.DEFAULT_PREFIX) String prefix,
        @DefaultValue("interrupt") LossPolicy onLoss) {}
