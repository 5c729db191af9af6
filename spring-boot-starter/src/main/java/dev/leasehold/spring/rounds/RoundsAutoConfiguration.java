package dev.leasehold.spring.rounds;

import dev.leasehold.Leases;
import dev.leasehold.RunHistory;
import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.RoundListener;
import dev.leasehold.rounds.Rounds;
import dev.leasehold.rounds.RoundsBuilder;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import dev.leasehold.spring.LeaseholdProperties;
import dev.leasehold.spring.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.transaction.PlatformTransactionManager;

/** Finds the rounds of the application and starts them with it, if it has any. */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnSingleCandidate(Leases.class)
@ConditionalOnProperty(name = "leasehold.enabled", matchIfMissing = true)
public final class RoundsAutoConfiguration {

    private static final String THREADS = "leasehold-round-";

    RoundsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "leasehold.rounds.history", havingValue = "true")
    static RunHistory runHistory(Leases leases) {
        return leases.runHistory().build();
    }

    /** A child context has rounds of its own. */
    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    static ApplicationRounds applicationRounds(
            ConfigurableListableBeanFactory beans,
            LeaseholdProperties properties,
            ObjectProvider<Leases> leases,
            ObjectProvider<RoundsObserver> observers) {
        var stop = new ApplicationRounds.Stop(
                properties.rounds().stopTimeout(),
                Optional.ofNullable(properties.rounds().stopGrace()));
        return new ApplicationRounds(
                () -> found(beans),
                () -> builder(beans, properties, leases.getObject()),
                observers.orderedStream().toList(),
                stop,
                properties.rounds().enabled());
    }

    /** Rounds start by themselves, so nobody would ask for them. */
    @Bean
    static LazyInitializationExcludeFilter applicationRoundsAreNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(ApplicationRounds.class);
    }

    private static List<Round> found(ConfigurableListableBeanFactory beans) {
        List<Round> rounds = new ArrayList<>(beans.getBeansOfType(Round.class).values());
        var transactions = new SpringTransactions(beans.getBeanProvider(PlatformTransactionManager.class));
        rounds.addAll(new RoundMethods(beans, transactions).find());
        return rounds.stream().map(UnderLease::of).toList();
    }

    private static RoundsBuilder builder(
            ConfigurableListableBeanFactory beans, LeaseholdProperties properties, Leases leases) {
        RoundsBuilder builder = Rounds.on(leases)
                .node(beans.getBean(Node.class).name())
                .threads(threads(beans.getBean(Environment.class)));
        if (properties.rounds().workers() != null) {
            builder.workers(properties.rounds().workers());
        }
        beans.getBeanProvider(RoundListener.class).orderedStream().forEach(builder::listener);
        beans.getBeanProvider(RunHistory.class).ifUnique(builder::history);
        return builder;
    }

    private static ThreadFactory threads(Environment environment) {
        if (Threading.VIRTUAL.isActive(environment)) {
            return new VirtualThreadTaskExecutor(THREADS).getVirtualThreadFactory();
        }
        var threads = new CustomizableThreadFactory(THREADS);
        threads.setDaemon(true);
        return threads;
    }
}
