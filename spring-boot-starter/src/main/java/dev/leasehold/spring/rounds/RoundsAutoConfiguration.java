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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
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
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Finds the rounds of the application and starts them with it, if it has any. Without leases to run them on it does not start,
 * unless leases are turned off: then a warning tells that they do not run.
 */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
public final class RoundsAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(RoundsAutoConfiguration.class);

    private static final String THREADS = "leasehold-round-";

    RoundsAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "leasehold.enabled", matchIfMissing = true)
    static class TurnedOn {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnSingleCandidate(Leases.class)
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
                    () -> found(beans, properties, leases),
                    () -> builder(beans, properties, leases.getObject()),
                    observers.orderedStream().toList(),
                    stop,
                    properties.rounds().enabled());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "leasehold.enabled", havingValue = "false")
    static class TurnedOff {

        @Bean
        static TurnedOffRounds turnedOffRounds(ConfigurableListableBeanFactory beans) {
            return new TurnedOffRounds(beans);
        }
    }

    /** Rounds start by themselves, so nobody would ask for them. */
    @Bean
    static LazyInitializationExcludeFilter applicationRoundsAreNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(ApplicationRounds.class, TurnedOffRounds.class);
    }

    private static List<Round> found(
            ConfigurableListableBeanFactory beans, LeaseholdProperties properties, ObjectProvider<Leases> leases) {
        List<Round> rounds = new ArrayList<>(beans.getBeansOfType(Round.class).values());
        var transactions = new SpringTransactions(beans.getBeanProvider(PlatformTransactionManager.class));
        rounds.addAll(new RoundMethods(beans, transactions).find());
        if (!rounds.isEmpty() && properties.rounds().enabled()) {
            requireLeases(rounds, beans, leases);
        }
        return rounds.stream().map(UnderLease::of).toList();
    }

    /** Else they would run nowhere. */
    private static void requireLeases(
            List<Round> rounds, ConfigurableListableBeanFactory beans, ObjectProvider<Leases> leases) {
        if (leases.getIfUnique() != null) {
            return;
        }
        List<String> several = List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, Leases.class));
        String found =
                "there are rounds, " + rounds.stream().map(Round::name).sorted().toList();
        throw new IllegalStateException(
                several.isEmpty()
                        ? found + ", but no leases, for there is no DataSource bean:"
                                + " define one, or set leasehold.enabled=false to do without them"
                        : found + ", and several Leases beans, " + several + ", of which none is primary: make one so");
    }

    private static RoundsBuilder builder(
            ConfigurableListableBeanFactory beans, LeaseholdProperties properties, Leases leases) {
        LeaseholdProperties.Rounds settings = properties.rounds();
        String node = beans.getBean(Node.class).name();
        log.info(
                "rounds run on node {}: {}, stop-timeout {}, {}, {} history",
                node,
                settings.workers() == null ? "a worker each" : settings.workers() + " workers",
                settings.stopTimeout(),
                settings.stopGrace() == null ? "no interrupt" : "stop-grace " + settings.stopGrace(),
                settings.history() ? "with" : "no");
        RoundsBuilder builder = Rounds.on(leases).node(node).threads(threads(beans.getBean(Environment.class)));
        if (settings.workers() != null) {
            builder.workers(settings.workers());
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
