package dev.leasehold.spring.transactions;

import dev.leasehold.Leases;
import dev.leasehold.SchemaMode;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import dev.leasehold.spring.LeaseholdProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;

/** Has every transaction manager of the application fence the transactions of exclusive work. */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnSingleCandidate(Leases.class)
@ConditionalOnClass(PlatformTransactionManager.class)
@ConditionalOnProperty(
        prefix = "leasehold",
        name = {"enabled", "fence-transactions"},
        matchIfMissing = true)
public final class FencedTransactionsAutoConfiguration {

    FencedTransactionsAutoConfiguration() {}

    @Bean
    static LeaseDatabase leaseholdLeaseDatabase(ObjectProvider<Leases> leases) {
        return new LeaseDatabase(() -> leases.getObject().dataSource());
    }

    @Bean
    static FencingPostProcessor leaseholdFencingPostProcessor(
            ConfigurableListableBeanFactory beans, ObjectProvider<LeaseDatabase> database) {
        return new FencingPostProcessor(beans, database::getObject);
    }

    /** A start that must not need the database does not ask it here either. */
    @Bean
    static SmartInitializingSingleton leaseholdLearnsItsDatabase(
            LeaseholdProperties properties, LeaseDatabase database) {
        return () -> {
            if (properties.schema() != SchemaMode.NONE) {
                database.learn();
            }
        };
    }
}
