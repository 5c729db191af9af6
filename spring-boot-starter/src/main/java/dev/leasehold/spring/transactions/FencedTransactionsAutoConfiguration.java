package dev.leasehold.spring.transactions;

import dev.leasehold.Leases;
import dev.leasehold.spring.LeaseDataSource;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;

/** Has every transaction manager of the application fence the transactions of exclusive work. */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnBean(Leases.class)
@ConditionalOnClass(PlatformTransactionManager.class)
@ConditionalOnProperty(name = "leasehold.fence-transactions", matchIfMissing = true)
public final class FencedTransactionsAutoConfiguration {

    FencedTransactionsAutoConfiguration() {}

    @Bean
    static FencingPostProcessor leaseholdFencingPostProcessor(ObjectProvider<LeaseDataSource> dataSource) {
        return new FencingPostProcessor(
                new LeaseDatabase(() -> dataSource.getObject().dataSource()));
    }
}
