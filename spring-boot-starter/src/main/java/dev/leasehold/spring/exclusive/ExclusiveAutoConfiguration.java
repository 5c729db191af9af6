package dev.leasehold.spring.exclusive;

import dev.leasehold.spring.LeaseholdAutoConfiguration;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Sees to methods with {@link dev.leasehold.spring.Exclusive}, also where there are no leases: then the application does not
 * start, for it would run them on every instance, unless leases are turned off.
 */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
public final class ExclusiveAutoConfiguration {

    ExclusiveAutoConfiguration() {}

    @Bean
    static ExclusivePostProcessor exclusivePostProcessor(
            ConfigurableListableBeanFactory beans, Environment environment) {
        var processor = new ExclusivePostProcessor(beans, new LeasesIfAny(beans, environment));
        processor.setProxyTargetClass(environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
        return processor;
    }

    @Bean
    static CallsEnd leaseholdCallsEnd(ExclusivePostProcessor processor) {
        return new CallsEnd(processor.calls(), CallsEnd.DEFAULT_PHASE);
    }

    @Bean
    static CallsEnd leaseholdLateCallsEnd(ExclusivePostProcessor processor) {
        return new CallsEnd(processor.calls(), CallsEnd.LATE_PHASE);
    }
}
