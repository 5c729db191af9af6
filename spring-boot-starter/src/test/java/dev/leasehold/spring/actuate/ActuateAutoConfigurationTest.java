package dev.leasehold.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;
import static org.awaitility.Awaitility.await;

import dev.leasehold.LeaseMetrics;
import dev.leasehold.Leases;
import dev.leasehold.micrometer.LeaseholdMeters;
import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.RoundListener;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import dev.leasehold.spring.database.DatabaseReadiness;
import dev.leasehold.spring.rounds.ApplicationRounds;
import dev.leasehold.spring.rounds.RoundsAutoConfiguration;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.metrics.DataSourcePoolMetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MeterRegistryCustomizer;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.context.annotation.Import;
import org.springframework.core.type.AnnotationMetadata;

class ActuateAutoConfigurationTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final TestDatabase database = TestPostgres.freshDatabase();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourcePoolMetricsAutoConfiguration.class,
                    LeaseholdAutoConfiguration.class,
                    LeaseholdMetersAutoConfiguration.class,
                    LeasesEndpointAutoConfiguration.class,
                    LeasesHealthAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=" + database.jdbcUrl());

    private final ApplicationContextRunner metered = application.withConfiguration(AutoConfigurations.of(
            MetricsAutoConfiguration.class,
            CompositeMeterRegistryAutoConfiguration.class,
            SimpleMetricsExportAutoConfiguration.class));

    private static Health health(HealthIndicator indicator) {
        return Objects.requireNonNull(indicator.health());
    }

    private static void acquireAndRelease(Leases leases) {
        leases.tryAcquire("sweep").lease().orElseThrow().release();
    }

    @Test
    void leasesAreCountedInTheApplicationsRegistryAndGaugedUntilTheEnd() {
        metered.run(context -> {
            var registry = context.getBean(MeterRegistry.class);
            var lease =
                    context.getBean(Leases.class).tryAcquire("sweep").lease().orElseThrow();
            assertThat(registry.get("leasehold.leases.gained").counter().count())
                    .isEqualTo(1);
            assertThat(registry.get("leasehold.leases.held").gauge().value()).isEqualTo(1);
            lease.release();
            assertThat(registry.get("leasehold.leases.held").gauge().value()).isZero();
            assertThat(context).hasSingleBean(RoundListener.class).hasSingleBean(LeaseMetrics.class);
            context.close();
            assertThat(registry.find("leasehold.leases.held").gauge()).isNull();
        });
    }

    @Test
    void roundsAreGaugedWhileTheyRunAndOnlyThen() {
        Round round = Round.named("sweep").every(Duration.ofHours(1)).work(context -> {});
        metered.withConfiguration(AutoConfigurations.of(RoundsAutoConfiguration.class))
                .withBean(Round.class, () -> round)
                .run(context -> {
                    var registry = context.getBean(MeterRegistry.class);
                    var rounds = context.getBean(ApplicationRounds.class);
                    assertThat(gaugesOfRounds(registry)).isNotEmpty();
                    assertThat(registry.get("leasehold.rounds.healthy")
                                    .tag("round", "sweep")
                                    .gauge()
                                    .value())
                            .isEqualTo(1);
                    rounds.stop();
                    assertThat(gaugesOfRounds(registry)).isEmpty();
                    rounds.start();
                    assertThat(gaugesOfRounds(registry)).isNotEmpty();
                    context.close();
                    assertThat(gaugesOfRounds(registry)).isEmpty();
                });
    }

    private static List<Gauge> gaugesOfRounds(MeterRegistry registry) {
        return registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith("leasehold.rounds."))
                .filter(Gauge.class::isInstance)
                .map(Gauge.class::cast)
                .toList();
    }

    @Test
    void theIndicatorTellsOfARoundWhoseRunsFail() {
        Round round = Round.named("sweep").every(Duration.ofHours(1)).work(context -> {
            throw new IllegalStateException("broken");
        });
        application
                .withConfiguration(AutoConfigurations.of(RoundsAutoConfiguration.class))
                .withBean(Round.class, () -> round)
                .run(context -> {
                    var rounds = context.getBean(ApplicationRounds.class);
                    var indicator = context.getBean("leasesHealthIndicator", HealthIndicator.class);
                    await().atMost(LIMIT).until(() -> {
                        rounds.runNow("sweep").get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                        return health(indicator).getDetails().containsKey("rounds");
                    });
                    assertThat(health(indicator).getStatus())
                            .as("the work fails, and not this instance")
                            .isEqualTo(Status.UP);
                    assertThat(health(indicator).getDetails().get("rounds"))
                            .asInstanceOf(MAP)
                            .hasEntrySatisfying(
                                    "sweep",
                                    trouble -> assertThat((String) trouble)
                                            .contains("runs here failed: ", "IllegalStateException"));
                });
    }

    /** As when the registry were made before what Spring Boot does to each. */
    @Test
    void customizersOfTheRegistryComeBeforeTheMetersOfLeasesAndBindersMayUseLeases() {
        metered.withUserConfiguration(CustomizerAndBinder.class).run(context -> {
            assertThat(context).hasNotFailed();
            var registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("leasehold.leases.gained")
                            .tag("region", "north")
                            .counter())
                    .isNotNull();
            assertThat(registry.get("leasehold.leases.held")
                            .tag("region", "north")
                            .gauge())
                    .isNotNull();
            assertThat(registry.get("application.leases").gauge().value()).isZero();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class CustomizerAndBinder {

        @Bean
        MeterRegistryCustomizer<MeterRegistry> region() {
            return registry -> registry.config().commonTags("region", "north");
        }

        @Bean
        MeterBinder applicationLeases(Leases leases) {
            return registry -> Gauge.builder(
                            "application.leases", leases, some -> some.held().size())
                    .register(registry);
        }
    }

    @Test
    void metricsOfTheApplicationsOwnAreToldToo() {
        var gained = new AtomicInteger();
        var own = new LeaseMetrics() {
            @Override
            public void acquired(String name, boolean takenOver) {
                gained.incrementAndGet();
            }
        };
        metered.withBean("own", LeaseMetrics.class, () -> own).run(context -> {
            acquireAndRelease(context.getBean(Leases.class));
            assertThat(gained).hasValue(1);
            assertThat(context.getBean(MeterRegistry.class)
                            .get("leasehold.leases.gained")
                            .counter()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void thereAreNoMetersWithoutARegistryAndWithSeveralOfWhichNoneIsPrimary() {
        application.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaseholdMeters.class));
        application
                .withBean("one", MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean("two", MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaseholdMeters.class));
    }

    @Test
    void theIndicatorIsThereUnlessItOrTheLeasesAreTurnedOff() {
        application.run(context -> assertThat(context).hasBean("leasesHealthIndicator"));
        application
                .withPropertyValues("management.health.leases.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
        application
                .withPropertyValues("management.health.defaults.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
        application
                .withPropertyValues("leasehold.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HealthIndicator.class));
    }

    @Test
    void theEndpointIsThereOnceItIsExposed() {
        application.run(context -> assertThat(context).doesNotHaveBean(LeasesEndpoint.class));
        var exposed = application.withPropertyValues("management.endpoints.web.exposure.include=leases");
        exposed.run(context -> assertThat(context).hasSingleBean(LeasesEndpoint.class));
        exposed.withPropertyValues("management.endpoint.leases.access=NONE")
                .run(context -> assertThat(context).doesNotHaveBean(LeasesEndpoint.class));
    }

    @Test
    void neitherActuatorNorHealthNorMicrometerNeedBeThere() {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.actuate",
                        "org.springframework.boot.health",
                        "org.springframework.boot.micrometer",
                        "io.micrometer",
                        "dev.leasehold.micrometer"))
                .withUserConfiguration(Everything.class)
                .withPropertyValues("spring.datasource.url=" + database.jdbcUrl())
                .run(context -> {
                    assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(DatabaseReadiness.class)
                            .doesNotHaveBean("databaseReadinessHealthIndicator")
                            .doesNotHaveBean("leasesHealthIndicator")
                            .doesNotHaveBean("leaseholdMeters")
                            .doesNotHaveBean("leasesEndpoint");
                    acquireAndRelease(context.getBean(Leases.class));
                });
    }

    /** Read as in an application, from the class files, so that what they name may be missing. */
    @Configuration(proxyBeanMethods = false)
    @Import(AllOfTheStarter.class)
    static class Everything {}

    static class AllOfTheStarter implements DeferredImportSelector {

        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            var all = new ArrayList<String>(List.of(DataSourceAutoConfiguration.class.getName()));
            ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader())
                    .forEach(name -> {
                        if (name.startsWith("dev.leasehold")) {
                            all.add(name);
                        }
                    });
            return all.toArray(String[]::new);
        }
    }
}
