package dev.leasehold.spring.database;

import dev.leasehold.spring.InvalidPropertyException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Gives a {@link DatabaseReadiness} of the application's {@link DataSource}, and where Spring Boot's health is there, the
 * indicator {@code databaseReadiness}. Of a source that routes by the calling thread the default target is asked; without one,
 * there is neither. Neither needs leases. The indicator joins the readiness group of the probes where {@code
 * management.endpoint.health.group.readiness.include} names it.
 */
@AutoConfiguration(afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnProperty(name = "leasehold.readiness.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ReadinessProperties.class)
public final class DatabaseReadinessAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(DatabaseReadinessAutoConfiguration.class);

    DatabaseReadinessAutoConfiguration() {}

    /** Null, which is no bean, if there is nothing that the probe's thread could ask. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    static @Nullable DatabaseReadiness databaseReadiness(
            DataSource dataSource,
            ReadinessProperties properties,
            ObjectProvider<DataSourcePoolMetadataProvider> pools) {
        DataSource asked = DefaultTarget.of(dataSource).orElse(null);
        if (asked == null) {
            log.info(
                    "no readiness of the database: its DataSource routes by the calling thread, without a default target");
            return null;
        }
        var known = new CompositeDataSourcePoolMetadataProvider(
                pools.orderedStream().toList());
        try {
            var readiness = new DatabaseReadiness(
                    asked, new PoolGauge(asked, known), properties.timeout(), properties.toleratedFailures());
            log.info(
                    "readiness of the database: timeout {}, {} tolerated failures",
                    properties.timeout(),
                    properties.toleratedFailures());
            return readiness;
        } catch (IllegalArgumentException e) {
            throw invalid(String.valueOf(e.getMessage()), e);
        }
    }

    /** The message begins with the name of the setting. */
    private static InvalidPropertyException invalid(String message, IllegalArgumentException cause) {
        String property = "leasehold.readiness." + (message.startsWith("timeout") ? "timeout" : "tolerated-failures");
        return new InvalidPropertyException(
                "the property " + property + " does not fit: " + message, "Change " + property + ".", cause);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    @ConditionalOnEnabledHealthIndicator("databaseReadiness")
    static class Health {

        @Bean
        @ConditionalOnMissingBean(name = "databaseReadinessHealthIndicator")
        static @Nullable HealthIndicator databaseReadinessHealthIndicator(ObjectProvider<DatabaseReadiness> readiness) {
            DatabaseReadiness asked = readiness.getIfAvailable();
            return asked == null ? null : new DatabaseReadinessHealthIndicator(asked);
        }
    }
}
