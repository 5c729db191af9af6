package dev.leasehold.spring.transactions;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Gives each transaction manager a {@link TransactionFence}. */
final class FencingPostProcessor implements BeanPostProcessor {

    private static final Logger log = LoggerFactory.getLogger(FencingPostProcessor.class);

    private final LeaseDatabase database;

    FencingPostProcessor(LeaseDatabase database) {
        this.database = database;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof PlatformTransactionManager) {
            if (bean instanceof ConfigurableTransactionManager manager) {
                manager.addListener(new TransactionFence(beanName, database));
            } else {
                log.warn(
                        "{} takes no listeners: its transactions are not fenced by the lease of exclusive work",
                        beanName);
            }
        }
        return bean;
    }
}
