package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.LeaseListener;
import dev.leasehold.Leases;
import dev.leasehold.ReleaseOutcome;
import dev.leasehold.SchemaMode;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class LeaseholdAutoConfigurationTest {

    private final TestDatabase database = TestPostgres.freshDatabase();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class, LeaseholdAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=" + database.jdbcUrl(), "spring.flyway.enabled=false");

    @Test
    void anApplicationWithADataSourceHasLeasesAndTheirTable() {
        application.run(context -> {
            var lease =
                    context.getBean(Leases.class).tryAcquire("sweep").lease().orElseThrow();
            assertThat(lease.isHeld()).isTrue();
            assertThat(database.queryForString("select name from leases")).isEqualTo("sweep");
            lease.release();
        });
    }

    @Test
    void theTableComesAfterTheMigrationsSoThatFlywayFindsAnEmptySchema() {
        application.withPropertyValues("spring.flyway.enabled=true").run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(Leases.class);
            assertThat(database.queryForLong("select count(*) from application_data"))
                    .isZero();
            assertThat(database.queryForLong("select count(*) from leases")).isZero();
        });
    }

    @Test
    void aMissingTableFailsTheStartClearlyWhenItMayOnlyBeValidated() {
        application
                .withPropertyValues("leasehold.schema=validate")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("the lease table \"leases\" is not complete"));
    }

    @Test
    void settingsThatDoNotFitFailTheStartAndNameTheValueAndTheRule() {
        application
                .withPropertyValues("leasehold.ttl=30s", "leasehold.renew-every=11s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("the property leasehold.renew-every does not fit: renewEvery is PT11S")
                        .hasStackTraceContaining("at most a third of the ttl, PT30S"));
    }

    @Test
    void severalDataSourcesNeedAName() {
        var two = application.withUserConfiguration(TwoDataSources.class).withBean(TestDatabase.class, () -> database);
        two.run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("leasehold.data-source"));
        two.withPropertyValues("leasehold.data-source=second")
                .run(context -> assertThat(context).hasSingleBean(Leases.class));
    }

    @Test
    void theDefaultsAreThese() {
        application.run(context -> assertThat(context.getBean(LeaseholdProperties.class))
                .isEqualTo(new LeaseholdProperties(
                        true,
                        Duration.ofMinutes(2),
                        null,
                        null,
                        "leases",
                        SchemaMode.CREATE,
                        null,
                        null,
                        true,
                        new LeaseholdProperties.Rounds(true, null, Duration.ofSeconds(20), null, false))));
    }

    @Test
    void leasesCanBeTurnedOff() {
        application
                .withPropertyValues("leasehold.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(Leases.class));
    }

    @Test
    void listenersOfTheApplicationAreTold() {
        var gained = new AtomicReference<Lease>();
        var listener = new LeaseListener() {
            @Override
            public void gained(Lease lease) {
                gained.set(lease);
            }
        };
        application.withBean(LeaseListener.class, () -> listener).run(context -> {
            context.getBean(Leases.class)
                    .tryAcquire("sweep")
                    .lease()
                    .orElseThrow()
                    .release();
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(gained).doesNotHaveNullValue());
        });
    }

    @Test
    void whatUsesLeasesEndsFirstThenTheLeasesThenThePool() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        application.withUserConfiguration(AWorker.class).run(context -> {
            var worker = context.getBean(Worker.class);
            context.close();
            assertThat(worker.outcome).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> !before.contains(thread))
                    .noneMatch(thread -> thread.getName().startsWith("leasehold-renewal-1") && thread.isAlive());
        });
        assertThat(database.queryForLong("select count(*) from leases where expires_at = 'epoch'"))
                .isEqualTo(1);
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {

        @Bean
        DataSource first(TestDatabase database) {
            return database.dataSource();
        }

        @Bean
        DataSource second(TestDatabase database) {
            return database.dataSource();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AWorker {

        @Bean
        Worker worker(Leases leases) {
            return new Worker(leases.tryAcquire("sweep").lease().orElseThrow());
        }
    }

    static class Worker implements DisposableBean {

        private final Lease lease;
        private ReleaseOutcome outcome = ReleaseOutcome.PENDING;

        Worker(Lease lease) {
            this.lease = lease;
        }

        @Override
        public void destroy() {
            outcome = lease.release();
        }
    }
}
