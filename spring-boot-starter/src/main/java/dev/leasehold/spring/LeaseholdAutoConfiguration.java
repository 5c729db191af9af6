package dev.leasehold.spring;

import dev.leasehold.LeaseListener;
import dev.leasehold.LeaseMetrics;
import dev.leasehold.Leases;
import dev.leasehold.LeasesBuilder;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Gives a {@link Leases} bean on the application's {@link DataSource}, made after Flyway, Liquibase or SQL scripts have run,
 * and closed before the {@code DataSource}. The start fails if the lease table is missing and cannot be created, or if it
 * is not clear which {@code DataSource} is meant.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
            "org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration"
        })
@ConditionalOnProperty(name = "leasehold.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeaseholdProperties.class)
@ImportRuntimeHints(LeaseholdHints.class)
public final class LeaseholdAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(LeaseholdAutoConfiguration.class);

    LeaseholdAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    static Node leaseholdNode(LeaseholdProperties properties) {
        return new Node(properties.node());
    }

    @Bean
    @ConditionalOnBean(DataSource.class)
    @ConditionalOnMissingBean({LeaseDataSource.class, Leases.class})
    static LeaseDataSource leaseDataSource(LeaseholdProperties properties, ConfigurableListableBeanFactory beans) {
        return LeaseDataSource.among(beans, properties.dataSource());
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnBean(DataSource.class)
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    static Leases leases(
            LeaseholdProperties properties,
            LeaseDataSource dataSource,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<LeaseListener> listeners,
            ObjectProvider<LeaseMetrics> metrics) {
        // Registered, so that the leases are closed before the pool.
        beans.registerDependentBean(dataSource.beanName(), "leases");
        LeasesBuilder builder = Leases.on(dataSource.dataSource()).schema(properties.schema());
        listeners.orderedStream().forEach(builder::listener);
        metrics.orderedStream().forEach(builder::metrics);
        Leases leases = built(builder, properties);
        log.info(
                "leases are kept in table {} of {}: ttl {}, renewed every {}, margin {}, schema {}, node {}, transactions are {}fenced",
                properties.table(),
                dataSource.beanName(),
                properties.ttl(),
                properties.renewEvery() == null ? properties.ttl().dividedBy(4) : properties.renewEvery(),
                properties.margin() == null ? properties.ttl().dividedBy(12) : properties.margin(),
                properties.schema(),
                properties.node() == null ? "by the name of the host" : properties.node(),
                properties.fenceTransactions() ? "" : "not ");
        return leases;
    }

    private static Leases built(LeasesBuilder builder, LeaseholdProperties properties) {
        try {
            builder.table(properties.table());
        } catch (IllegalArgumentException e) {
            throw invalid("leasehold.table", e);
        }
        builder.ttl(properties.ttl());
        if (properties.renewEvery() != null) {
            builder.renewEvery(properties.renewEvery());
        }
        if (properties.margin() != null) {
            builder.margin(properties.margin());
        }
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw invalid(property(String.valueOf(e.getMessage())), e);
        }
    }

    /** The message begins with the name of the setting in the builder. */
    private static String property(String message) {
        if (message.startsWith("renewEvery")) {
            return "leasehold.renew-every";
        }
        return message.startsWith("margin") ? "leasehold.margin" : "leasehold.ttl";
    }

    private static InvalidPropertyException invalid(String property, IllegalArgumentException e) {
        return new InvalidPropertyException(
                "the property " + property + " does not fit: " + e.getMessage(), "Change " + property + ".", e);
    }
}
