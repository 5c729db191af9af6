package dev.leasehold.spring.actuate;

import dev.leasehold.Leases;
import dev.leasehold.rounds.RoundStatus;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Gives the health indicator {@code leases}; off with {@code management.health.leases.enabled=false}. It is part of the whole
 * health, and of no probe: no restart cures a lease that is not renewed.
 */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnSingleCandidate(Leases.class)
@ConditionalOnEnabledHealthIndicator("leases")
public final class LeasesHealthAutoConfiguration {

    LeasesHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = "leasesHealthIndicator")
    static HealthIndicator leasesHealthIndicator(Leases leases) {
        return new LeasesHealthIndicator(leases, rounds());
    }

    /** The one place that says which rounds the application has: none are known to this configuration. */
    private static Supplier<List<RoundStatus>> rounds() {
        return List::of;
    }
}
