package dev.leasehold.spring.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Leases;
import dev.leasehold.spring.InvalidPropertyException;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import dev.leasehold.testkit.ForwardingDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

class DatabaseReadinessAutoConfigurationTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String PATIENT = "leasehold.readiness.timeout=30s";

    private final TestDatabase database = TestPostgres.freshDatabase();

    private final ApplicationContextRunner withoutDataSource = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DataSourceAutoConfiguration.class, DatabaseReadinessAutoConfiguration.class));

    private final ApplicationContextRunner application =
            withoutDataSource.withPropertyValues("spring.datasource.url=" + database.jdbcUrl());

    private static Health health(HealthIndicator indicator) {
        return Objects.requireNonNull(indicator.health());
    }

    /** Those of applications that have ended may take a moment to end. */
    private static Set<Thread> probeThreadsBut(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("leasehold-readiness") && !before.contains(thread))
                .collect(Collectors.toSet());
    }

    @Test
    void anApplicationWithoutLeasesHasTheIndicatorAndNoThreadIsStartedBeforeItIsAsked() {
        Set<Thread> before = probeThreadsBut(Set.of());
        application.withPropertyValues(PATIENT).run(context -> {
            assertThat(context).hasSingleBean(DatabaseReadiness.class).hasBean("databaseReadinessHealthIndicator");
            assertThat(probeThreadsBut(before)).isEmpty();
            Health health = health(context.getBean(HealthIndicator.class));
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).isEmpty();
            assertThat(probeThreadsBut(before)).hasSize(1);
        });
    }

    @Test
    void theIndicatorIsDownWithTheReasonAndHowOftenItWasSeen() {
        application
                .withPropertyValues("spring.datasource.hikari.maximum-pool-size=1", "leasehold.readiness.timeout=50ms")
                .run(context -> {
                    try (var borrowed = context.getBean(DataSource.class).getConnection()) {
                        assertThat(borrowed.isClosed()).isFalse();
                        Health health = health(context.getBean(HealthIndicator.class));
                        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                        assertThat(health.getDetails())
                                .isEqualTo(Map.of(
                                        "reason",
                                        "pool empty",
                                        "detail",
                                        "pool of 1: all are in use, and none came back within 50 ms",
                                        "failures",
                                        1));
                    }
                });
    }

    @Test
    void aToleratedFailureIsUpAndToldAllTheSame() {
        application
                .withPropertyValues(
                        "spring.datasource.hikari.maximum-pool-size=1",
                        "leasehold.readiness.timeout=50ms",
                        "leasehold.readiness.tolerated-failures=1")
                .run(context -> {
                    try (var borrowed = context.getBean(DataSource.class).getConnection()) {
                        assertThat(borrowed.isClosed()).isFalse();
                        HealthIndicator indicator = context.getBean(HealthIndicator.class);
                        Health first = health(indicator);
                        assertThat(first.getStatus()).isEqualTo(Status.UP);
                        assertThat(first.getDetails()).containsEntry("reason", "pool empty");
                        assertThat(health(indicator).getStatus()).isEqualTo(Status.DOWN);
                    }
                });
    }

    /** Of a pool that is not HikariCP's. */
    @Test
    void whatSpringBootKnowsOfThePoolIsUsed() {
        DataSource full = new ForwardingDataSource(database.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                throw new SQLException("no connection is free");
            }
        };
        withoutDataSource
                .withBean(DataSource.class, () -> full)
                .withBean(DataSourcePoolMetadataProvider.class, () -> source -> new PoolCounts(source, 4, 4))
                .withPropertyValues(PATIENT)
                .run(context -> assertThat(
                                context.getBean(DatabaseReadiness.class).ask().reason())
                        .contains(Readiness.Reason.POOL_EMPTY));
    }

    @Test
    void theDefaultsAreThese() {
        application.run(context -> assertThat(context.getBean(ReadinessProperties.class))
                .isEqualTo(new ReadinessProperties(true, Duration.ofSeconds(1), 0)));
    }

    @Test
    void itCanBeTurnedOffAsAWholeOrAmongTheHealthOnly() {
        application
                .withPropertyValues("leasehold.readiness.enabled=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(DatabaseReadiness.class)
                        .doesNotHaveBean(HealthIndicator.class));
        application
                .withPropertyValues("management.health.databaseReadiness.enabled=false")
                .run(context -> assertThat(context)
                        .hasSingleBean(DatabaseReadiness.class)
                        .doesNotHaveBean(HealthIndicator.class));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            timeout            | 2m | timeout is PT2M, but must be 1 ms to 1 minute
            tolerated-failures | -1 | toleratedFailures is -1, but must be 0 to 1000
            """)
    void aSettingThatDoesNotFitFailsTheStartAndIsNamedWithTheRule(String setting, String value, String rule) {
        String property = "leasehold.readiness." + setting;
        application.withPropertyValues(property + "=" + value).run(context -> {
            assertThat(context).hasFailed();
            assertThat(Stream.iterate(context.getStartupFailure(), Objects::nonNull, Throwable::getCause)
                            .filter(InvalidPropertyException.class::isInstance)
                            .map(InvalidPropertyException.class::cast))
                    .singleElement()
                    .satisfies(failure -> {
                        assertThat(failure.description())
                                .isEqualTo("the property " + property + " does not fit: " + rule);
                        assertThat(failure.action()).isEqualTo("Change " + property + ".");
                    });
        });
    }

    @Test
    void anApplicationWithoutADataSourceHasNone() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DatabaseReadinessAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DatabaseReadiness.class));
    }

    @Test
    void severalSourcesWithoutAPrimaryOneHaveNone() {
        withoutDataSource
                .withBean("one", DataSource.class, database::dataSource)
                .withBean("two", DataSource.class, database::dataSource)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DatabaseReadiness.class));
    }

    /** A thread has no route of its own here, as the probe's has none. */
    private static final class ByThread extends AbstractRoutingDataSource {

        private static DataSource lazily(Optional<DataSource> defaultTarget, Map<Object, Object> targets) {
            var routing = new ByThread();
            routing.setTargetDataSources(targets);
            defaultTarget.ifPresent(routing::setDefaultTargetDataSource);
            routing.afterPropertiesSet();
            return new LazyConnectionDataSourceProxy(routing);
        }

        @Override
        protected Object determineCurrentLookupKey() {
            throw new IllegalStateException("this thread has no tenant");
        }
    }

    private final ApplicationContextRunner routed = withoutDataSource.withConfiguration(
            AutoConfigurations.of(HealthContributorRegistryAutoConfiguration.class, LeaseholdAutoConfiguration.class));

    @Test
    void ofASourceThatRoutesByTheThreadTheDefaultTargetIsAskedAndItsPoolIsSeen() throws Exception {
        try (var pool = new HikariDataSource()) {
            pool.setJdbcUrl(database.jdbcUrl());
            pool.setMaximumPoolSize(1);
            DataSource routing = ByThread.lazily(Optional.of(pool), Map.of("tenant", database.dataSource()));
            routed.withBean(DataSource.class, () -> routing)
                    .withPropertyValues("leasehold.enabled=false", "leasehold.readiness.timeout=1s")
                    .run(context -> {
                        var readiness = context.getBean(DatabaseReadiness.class);
                        await().atMost(LIMIT)
                                .until(() -> readiness.ask().reason().isEmpty());
                        try (var borrowed = pool.getConnection()) {
                            assertThat(borrowed.isClosed()).isFalse();
                            assertThat(readiness.ask().reason()).contains(Readiness.Reason.POOL_EMPTY);
                        }
                    });
        }
    }

    @Test
    void aSourceThatRoutesByTheThreadAndHasNoDefaultTargetHasNoneAndBreaksNoStart() {
        DataSource routing = ByThread.lazily(Optional.empty(), Map.of("tenant", database.dataSource()));
        var application = routed.withBean("routing", DataSource.class, () -> routing, bean -> bean.setPrimary(true));
        application.withPropertyValues("leasehold.enabled=false").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBeanProvider(DatabaseReadiness.class).getIfAvailable())
                    .isNull();
            assertThat(context.getBean(HealthContributorRegistry.class).getContributor("databaseReadiness"))
                    .isNull();
        });
        application
                .withBean("plain", DataSource.class, database::dataSource)
                .withPropertyValues("leasehold.data-source=plain")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Leases.class));
    }
}
