package dev.leasehold.spring;

import dev.leasehold.LeaseListener;
import dev.leasehold.LeaseMetrics;
import dev.leasehold.Leases;
import dev.leasehold.LeasesBuilder;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
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
    static Leases leases(
            LeaseholdProperties properties,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<LeaseListener> listeners,
            ObjectProvider<LeaseMetrics> metrics) {
        LeasesBuilder builder = Leases.on(dataSource(properties, beans)).schema(properties.schema());
        listeners.orderedStream().forEach(builder::listener);
        metrics.orderedStream().forEach(builder::metrics);
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

    /** The dependency is registered, so that the leases are closed before the pool. */
    private static DataSource dataSource(LeaseholdProperties properties, ConfigurableListableBeanFactory beans) {
        String name = properties.dataSource() == null ? onlyDataSource(beans) : properties.dataSource();
        DataSource dataSource = beans.getBean(name, DataSource.class);
        beans.registerDependentBean(name, "leases");
        return dataSource;
    }

    private static String onlyDataSource(ConfigurableListableBeanFactory beans) {
        String[] names = beans.getBeanNamesForType(DataSource.class);
        List<String> candidates = names.length == 1
                ? List.of(names)
                : Arrays.stream(names)
                        .filter(name -> beans.containsBeanDefinition(name)
                                && beans.getBeanDefinition(name).isPrimary())
                        .toList();
        if (candidates.size() != 1) {
            throw new IllegalStateException("there are several DataSource beans and none is primary: name the one to"
                    + " keep leases in by the property leasehold.data-source");
        }
        return candidates.get(0);
    }
}
