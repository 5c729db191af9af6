package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Leases;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Where leases are kept in applications whose DataSource is none of the plain kind, and when their table is made. */
class DataSourcesTest {

    private final TestDatabase database = TestPostgres.freshDatabase();

    private final ApplicationContextRunner bare =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LeaseholdAutoConfiguration.class));

    private ApplicationContextRunner with(Supplier<DataSource> dataSource) {
        return bare.withBean("dataSource", DataSource.class, dataSource);
    }

    private static void acquires(Leases leases) {
        try (var lease = leases.tryAcquire("sweep").lease().orElseThrow()) {
            assertThat(lease.isHeld()).isTrue();
        }
    }

    /** Leads where the calling thread says. */
    private static final class Routing extends AbstractRoutingDataSource {

        private static final ThreadLocal<String> ROUTE = new InheritableThreadLocal<>();

        Routing(Map<Object, Object> targets, @Nullable DataSource standard) {
            setTargetDataSources(targets);
            if (standard != null) {
                setDefaultTargetDataSource(standard);
            }
            setLenientFallback(false);
            afterPropertiesSet();
        }

        @Override
        protected @Nullable Object determineCurrentLookupKey() {
            return ROUTE.get();
        }
    }

    /** What applications put around a source: a lazy one asks it later, on the same thread. */
    private static Stream<UnaryOperator<DataSource>> wrappings() {
        return Stream.of(
                routing -> routing,
                LazyConnectionDataSourceProxy::new,
                TransactionAwareDataSourceProxy::new,
                routing -> new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(routing)),
                routing -> new Routing(Map.of(), new LazyConnectionDataSourceProxy(routing)));
    }

    /** Threads of the library, made by a caller's call, inherit that caller's route. */
    @ParameterizedTest
    @MethodSource("wrappings")
    void aRoutingSourceKeepsLeasesInItsDefaultTargetWhateverTheCallersRoute(UnaryOperator<DataSource> wrapping)
            throws Exception {
        var tenant = TestPostgres.freshDatabase();
        tenant.execute("create table leases (the_same_name_for_something_else text)");
        Routing.ROUTE.set("tenant");
        try {
            with(() -> wrapping.apply(new Routing(Map.of("tenant", tenant.dataSource()), database.dataSource())))
                    .run(context -> acquires(context.getBean(Leases.class)));
        } finally {
            Routing.ROUTE.remove();
        }
        // released by the end of the application at the latest
        assertThat(database.queryForLong("select count(*) from leases where expires_at = 'epoch'"))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("wrappings")
    void aRoutingSourceWithoutADefaultTargetFailsTheStartAndNamesTheProperty(UnaryOperator<DataSource> wrapping) {
        with(() -> wrapping.apply(new Routing(Map.of("tenant", database.dataSource()), null)))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("has no default target")
                        .hasStackTraceContaining("leasehold.data-source"));
    }

    @Test
    void lazyAndTransactionAwareProxiesWork() {
        with(() -> new LazyConnectionDataSourceProxy(database.dataSource()))
                .run(context -> acquires(context.getBean(Leases.class)));
        with(() -> new TransactionAwareDataSourceProxy(database.dataSource()))
                .run(context -> acquires(context.getBean(Leases.class)));
    }

    @Test
    void aPrimarySourceIsTakenAmongSeveral() {
        var other = TestPostgres.freshDatabase();
        bare.withBean("first", DataSource.class, other::dataSource)
                .withBean("second", DataSource.class, database::dataSource, definition -> definition.setPrimary(true))
                .run(context -> {
                    acquires(context.getBean(Leases.class));
                    assertThat(database.queryForLong("select count(*) from leases"))
                            .isEqualTo(1);
                });
    }

    @Test
    void aSourceThatIsNoDefaultCandidateIsNotMeant() {
        var other = TestPostgres.freshDatabase();
        bare.withBean(
                        "second",
                        DataSource.class,
                        other::dataSource,
                        definition -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false))
                .withBean("first", DataSource.class, database::dataSource)
                .run(context -> {
                    acquires(context.getBean(Leases.class));
                    assertThat(database.queryForLong("select count(*) from leases"))
                            .isEqualTo(1);
                });
    }

    /** Found by its qualified name on every connection, whatever the search_path. */
    @Test
    void theTableMayStandInAnotherSchemaAndHaveAnyName() throws Exception {
        database.execute("create schema \"Jobs\"");
        with(database::dataSource)
                .withPropertyValues("leasehold.table=Jobs.My Leases")
                .run(context -> {
                    acquires(context.getBean(Leases.class));
                    assertThat(database.queryForLong("select count(*) from \"Jobs\".\"My Leases\""))
                            .isEqualTo(1);
                });
    }

    private ApplicationContextRunner migrated() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        FlywayAutoConfiguration.class,
                        LiquibaseAutoConfiguration.class,
                        LeaseholdAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=" + database.jdbcUrl());
    }

    @Test
    void theTableComesAfterFlywaysAndAfterARestart() {
        var application = migrated().withPropertyValues("spring.liquibase.enabled=false");
        for (int i = 0; i < 3; i++) {
            application.run(context -> acquires(context.getBean(Leases.class)));
        }
    }

    @Test
    void theTableComesAfterLiquibases() {
        var application = migrated().withPropertyValues("spring.flyway.enabled=false");
        for (int i = 0; i < 3; i++) {
            application.run(context -> {
                acquires(context.getBean(Leases.class));
                assertThat(database.queryForLong("select count(*) from liquibase_data"))
                        .isZero();
            });
        }
    }

    @Test
    void anApplicationMayBeClosedTwiceAndStartedAgainAndLeavesNoThread() {
        var application =
                migrated().withPropertyValues("spring.flyway.enabled=false", "spring.liquibase.enabled=false");
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        for (int i = 0; i < 3; i++) {
            application.run(context -> {
                acquires(context.getBean(Leases.class));
                var pool = context.getBean(HikariDataSource.class);
                context.close();
                context.close();
                assertThat(pool.isClosed()).isTrue();
                // those that wait for nothing are told to end, and not waited for
                await().atMost(Duration.ofSeconds(30))
                        .untilAsserted(() -> assertThat(
                                        Thread.getAllStackTraces().keySet())
                                .filteredOn(thread -> !before.contains(thread))
                                .noneMatch(thread -> thread.getName().startsWith("leasehold-") && thread.isAlive()));
            });
        }
    }
}
