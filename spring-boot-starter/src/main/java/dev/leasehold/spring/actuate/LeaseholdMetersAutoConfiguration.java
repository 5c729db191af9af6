package dev.leasehold.spring.actuate;

import dev.leasehold.Leases;
import dev.leasehold.micrometer.LeaseholdMeters;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Gives {@link LeaseholdMeters} in the application's {@link MeterRegistry}, where {@code leasehold-micrometer} is there. The
 * {@code Leases} bean tells them what happens, as it tells every {@code LeaseMetrics} bean. The registry is made before the
 * leases for that: a customizer of registries cannot be given leases, while a {@code MeterBinder} can.
 */
@AutoConfiguration(
        after = LeaseholdAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass({LeaseholdMeters.class, MeterRegistry.class})
@ConditionalOnBean(Leases.class)
@ConditionalOnSingleCandidate(MeterRegistry.class)
public final class LeaseholdMetersAutoConfiguration {

    LeaseholdMetersAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    static LeaseholdMeters leaseholdMeters(MeterRegistry registry) {
        return new LeaseholdMeters(registry);
    }

    @Bean(destroyMethod = "close")
    static BoundMeters leaseholdBoundMeters(LeaseholdMeters meters, ObjectProvider<Leases> leases) {
        return new BoundMeters(meters, leases.orderedStream().toList());
    }
}
