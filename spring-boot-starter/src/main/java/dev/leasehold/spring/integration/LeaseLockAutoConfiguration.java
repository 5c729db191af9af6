package dev.leasehold.spring.integration;

import dev.leasehold.Leases;
import dev.leasehold.spring.InvalidPropertyException;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Gives a {@link LeaseLockRegistry} where Spring Integration is present and there are {@link Leases}, one or a primary one,
 * unless the application has a {@link LockRegistry} of its own.
 */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass(LockRegistry.class)
@ConditionalOnSingleCandidate(Leases.class)
@ConditionalOnProperty(name = "leasehold.integration.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeaseLockProperties.class)
public final class LeaseLockAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(LeaseLockAutoConfiguration.class);

    LeaseLockAutoConfiguration() {}

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(LockRegistry.class)
    static LeaseLockRegistry leaseLockRegistry(Leases leases, LeaseLockProperties properties) {
        var locks = registry(leases, properties);
        log.info("locks are leases with the prefix \"{}\", on a loss {}", properties.prefix(), properties.onLoss());
        return locks;
    }

    private static LeaseLockRegistry registry(Leases leases, LeaseLockProperties properties) {
        try {
            return new LeaseLockRegistry(leases, properties.prefix(), properties.onLoss());
        } catch (IllegalArgumentException e) {
            throw new InvalidPropertyException(
                    "the property leasehold.integration.prefix does not fit, with a key of one character: "
                            + e.getMessage(),
                    "Change leasehold.integration.prefix.",
                    e);
        }
    }
}
