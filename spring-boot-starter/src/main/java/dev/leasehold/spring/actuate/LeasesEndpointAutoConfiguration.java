package dev.leasehold.spring.actuate;

import dev.leasehold.Leases;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** Gives the {@link LeasesEndpoint} where it is exposed, as {@code management.endpoints.web.exposure.include} says. */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnSingleCandidate(Leases.class)
@ConditionalOnAvailableEndpoint(LeasesEndpoint.class)
public final class LeasesEndpointAutoConfiguration {

    LeasesEndpointAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    static LeasesEndpoint leasesEndpoint(Leases leases) {
        return new LeasesEndpoint(leases);
    }
}
