package dev.leasehold.spring.database;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code leasehold.readiness.*}.
 *
 * @param enabled whether there is a {@code DatabaseReadiness} bean, and its health indicator
 * @param timeout how long an ask may take: 1 ms to 1 minute
 * @param toleratedFailures how many asks in a row may fail and still be answered as ready
 */
@ConfigurationProperties("leasehold.readiness")
public record ReadinessProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("1s") Duration timeout,
        @DefaultValue("0") int toleratedFailures) {}
