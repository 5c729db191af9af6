package dev.leasehold.spring;

import dev.leasehold.LeaseListener;
import dev.leasehold.Leases;
import dev.leasehold.LeasesBuilder;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;

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
@ConditionalOnBean(DataSource.class)
@ConditionalOnProperty(name = "leasehold.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeaseholdProperties.class)
public final class LeaseholdAutoConfiguration {

    LeaseholdAutoConfiguration() {}

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    static Leases leases(LeaseholdProperties properties, BeanFactory beans, ObjectProvider<LeaseListener> listeners) {
        LeasesBuilder builder = Leases.on(dataSource(properties, beans)).schema(properties.schema());
        listeners.orderedStream().forEach(builder::listener);
        try {
            builder.table(properties.table()).ttl(properties.ttl());
            if (properties.renewEvery() != null) {
                builder.renewEvery(properties.renewEvery());
            }
            if (properties.margin() != null) {
                builder.margin(properties.margin());
            }
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the properties leasehold.* do not fit: " + e.getMessage(), e);
        }
    }

    private static DataSource dataSource(LeaseholdProperties properties, BeanFactory beans) {
        if (properties.dataSource() != null) {
            return beans.getBean(properties.dataSource(), DataSource.class);
        }
        DataSource only = beans.getBeanProvider(DataSource.class).getIfUnique();
        if (only == null) {
            throw new IllegalStateException("there are several DataSource beans and none is primary: name the one to"
                    + " keep leases in by the property leasehold.data-source");
        }
        return only;
    }
}
