package dev.leasehold.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.LossPolicy;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

class LeaseLockAutoConfigurationTest {

    private static final TestDatabase DATABASE = TestPostgres.freshDatabase();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    LeaseholdAutoConfiguration.class,
                    LeaseLockAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=" + DATABASE.jdbcUrl());

    @Test
    void anApplicationWithSpringIntegrationHasLocksOnItsLeases() {
        application.run(context -> {
            var lock = context.getBean(LockRegistry.class).obtain("feed");
            assertThat(lock.tryLock()).isTrue();
            assertThat(context.getBean(Leases.class).held())
                    .singleElement()
                    .satisfies(lease -> assertThat(lease.name()).isEqualTo("lock:feed"));
            lock.unlock();
            assertThat(context.getBean(LeaseLockProperties.class))
                    .isEqualTo(new LeaseLockProperties(true, "lock:", LossPolicy.INTERRUPT));
        });
    }

    @Test
    void springBootFindsIt() {
        assertThat(ImportCandidates.load(AutoConfiguration.class, null).getCandidates())
                .contains(LeaseLockAutoConfiguration.class.getName());
    }

    @Test
    void thePrefixIsAPropertyAndMayBeEmpty() {
        application
                .withPropertyValues("leasehold.integration.prefix=", "leasehold.integration.on-loss=go-on")
                .run(context -> {
                    var lock = context.getBean(LeaseLockRegistry.class).obtain("feed");
                    assertThat(lock.tryLock()).isTrue();
                    assertThat(context.getBean(Leases.class).held().get(0).name())
                            .isEqualTo("feed");
                    lock.unlock();
                });
    }

    @Test
    void aPrefixThatLeavesNoRoomForAKeyFailsTheStartAndIsNamed() {
        application
                .withPropertyValues("leasehold.integration.prefix=" + "x".repeat(512))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("the property leasehold.integration.prefix does not fit, with a key of"
                                + " one character: the name of a lease has 513 characters"));
        application
                .withPropertyValues("leasehold.integration.prefix=" + "x".repeat(511))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void withoutSpringIntegrationThereAreLeasesAndNoLocks() {
        application
                .withClassLoader(new FilteredClassLoader("org.springframework.integration"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Leases.class)
                        .doesNotHaveBean("leaseLockRegistry")
                        .doesNotHaveBean(LeaseLockProperties.class));
    }

    @Test
    void withoutLeasesThereAreNoLocks() {
        application
                .withPropertyValues("leasehold.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockRegistry.class));
    }

    @Test
    void withSeveralLeasesOfWhichNoneIsPrimaryThereAreNoLocks() {
        application
                .withBean("one", Leases.class, () -> leasesIn("one"))
                .withBean("two", Leases.class, () -> leasesIn("two"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockRegistry.class));
        application
                .withBean("one", Leases.class, () -> leasesIn("one"))
                .withBean("two", Leases.class, () -> leasesIn("two"), bean -> bean.setPrimary(true))
                .run(context -> {
                    var lock = context.getBean(LockRegistry.class).obtain("feed");
                    assertThat(lock.tryLock()).isTrue();
                    assertThat(context.getBean("two", Leases.class).held()).hasSize(1);
                    lock.unlock();
                });
    }

    private static Leases leasesIn(String table) {
        return Leases.on(DATABASE.dataSource()).table(table).build();
    }

    @Test
    void locksCanBeTurnedOff() {
        application
                .withPropertyValues("leasehold.integration.enabled=false")
                .run(context -> assertThat(context).hasSingleBean(Leases.class).doesNotHaveBean(LockRegistry.class));
    }

    @Test
    void aRegistryOfTheApplicationIsLeftAlone() {
        application
                .withBean(DefaultLockRegistry.class)
                .run(context ->
                        assertThat(context).getBean(LockRegistry.class).isInstanceOf(DefaultLockRegistry.class));
    }
}
