package dev.leasehold.spring.database;

import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Gives a {@link DatabaseReadiness} of the application's {@link DataSource}, and where Spring Boot's health is there, the
 * indicator {@code databaseReadiness}. Neither needs leases. The indicator joins the readiness group of the probes where {@code
 * management.endpoint.health.group.readiness.include} names it.
 */
@AutoConfiguration(afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnProperty(name = "leasehold.readiness.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ReadinessProperties.class)
public final class DatabaseReadinessAutoConfiguration {

    DatabaseReadinessAutoConfiguration() {}

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    static DatabaseReadiness databaseReadiness(DataSource dataSource, ReadinessProperties properties) {
        try {
            return new DatabaseReadiness(dataSource, properties.timeout(), properties.toleratedFailures());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the properties leasehold.readiness.* do not fit: " + e.getMessage(), e);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    @ConditionalOnEnabledHealthIndicator("databaseReadiness")
    static class Health {

        @Bean
        @ConditionalOnMissingBean(name = "databaseReadinessHealthIndicator")
        static HealthIndicator databaseReadinessHealthIndicator(DatabaseReadiness readiness) {
            return new DatabaseReadinessHealthIndicator(readiness);
        }
    }
}
