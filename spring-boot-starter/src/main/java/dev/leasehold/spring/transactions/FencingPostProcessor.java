package dev.leasehold.spring.transactions;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Gives each transaction manager a {@link TransactionFence}: when it is made, or, if another post-processor needed it before this
 * one was asked, when all singletons are there.
 */
final class FencingPostProcessor implements BeanPostProcessor, SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(FencingPostProcessor.class);

    private final ConfigurableListableBeanFactory beans;
    /** Asked late: what a post-processor needs is made before others may look at it. */
    private final Supplier<LeaseDatabase> database;

    private final Set<String> unfenced = ConcurrentHashMap.newKeySet();

    FencingPostProcessor(ConfigurableListableBeanFactory beans, Supplier<LeaseDatabase> database) {
        this.beans = beans;
        this.database = database;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanNamesForType(PlatformTransactionManager.class, true, false)) {
            if (beans.containsSingleton(name)) {
                fence(name, beans.getBean(name));
            }
        }
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        fence(beanName, bean);
        return bean;
    }

    private void fence(String beanName, Object bean) {
        if (bean instanceof PlatformTransactionManager) {
            if (bean instanceof ConfigurableTransactionManager manager) {
                if (manager.getTransactionExecutionListeners().stream().noneMatch(TransactionFence.class::isInstance)) {
                    manager.addListener(new TransactionFence(beanName, database));
                }
            } else if (unfenced.add(beanName)) {
                log.warn(
                        "{} takes no listeners: its transactions are not fenced by the lease of exclusive work",
                        beanName);
            }
        }
    }
}
