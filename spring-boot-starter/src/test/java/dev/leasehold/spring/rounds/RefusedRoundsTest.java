package dev.leasehold.spring.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.rounds.Promise;
import dev.leasehold.spring.Exclusive;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import dev.leasehold.spring.Round;
import dev.leasehold.spring.running.PackagePrivateRound;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.AbstractAdvisingBeanPostProcessor;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;

/** What cannot be a round is refused when the application starts, and named. */
class RefusedRoundsTest {

    private final TestDatabase database = TestPostgres.freshDatabase();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    LeaseholdAutoConfiguration.class,
                    RoundsAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=" + database.jdbcUrl(), "report.zone=Europe/Berlin");

    static class Reports {
        @Round(name = "report", every = "1h")
        public void report() {}
    }

    static class NoName {
        @Round(every = "1h")
        public void run() {}
    }

    static class NoPeriod {
        @Round("report")
        public void run() {}
    }

    static class TwoSchedules {
        @Round(name = "report", every = "1h", cron = "@daily")
        public void run() {}
    }

    static class BadPeriod {
        @Round(name = "report", every = "soon")
        public void run() {}
    }

    static class NegativePeriod {
        @Round(name = "report", every = "-1s")
        public void run() {}
    }

    static class UnresolvedPeriod {
        @Round(name = "report", every = "${nowhere}")
        public void run() {}
    }

    static class BadCron {
        @Round(name = "report", cron = "every day")
        public void run() {}
    }

    static class BadZone {
        @Round(name = "report", cron = "@daily", zone = "Mars")
        public void run() {}
    }

    static class ZoneWithoutCron {
        @Round(name = "report", every = "1h", zone = "${report.zone}")
        public void run() {}
    }

    static class Parameters {
        @Round(name = "report", every = "1h")
        public void run(String what) {}
    }

    static class Private {
        @Round(name = "report", every = "1h")
        private void run() {}

        void call() {
            run();
        }
    }

    static class Doubly {
        @Round(name = "report", every = "1h")
        @Exclusive("report")
        public void run() {}
    }

    static class Scheduled {
        @Round(name = "report", every = "1h")
        @org.springframework.scheduling.annotation.Scheduled(fixedRate = 1000)
        public void run() {}
    }

    static class AtSign {
        @Round(name = "re@port", every = "1h")
        public void run() {}
    }

    static class NoTransaction {
        @Round(name = "report", every = "1h", promise = Promise.EXACTLY_ONCE)
        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        public void run() {}
    }

    static class OwnTransaction {
        @Round(name = "report", every = "1h", promise = Promise.EXACTLY_ONCE)
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void run() {}
    }

    static class NoSuchManager {
        @Round(name = "report", every = "1h", promise = Promise.EXACTLY_ONCE)
        @Transactional("nobody")
        public void run() {}
    }

    static class WrongPromise {
        @Round(name = "report", every = "1h", promise = Promise.AT_MOST_ONCE, retryAfter = "1s")
        public void run() {}
    }

    static class JakartasTransaction {
        @Round(name = "report", every = "1h", promise = Promise.EXACTLY_ONCE)
        @jakarta.transaction.Transactional(jakarta.transaction.Transactional.TxType.REQUIRES_NEW)
        public void run() {}
    }

    @jakarta.transaction.Transactional(jakarta.transaction.Transactional.TxType.NOT_SUPPORTED)
    static class JakartasClass {
        @Round(name = "report", every = "1h", promise = Promise.EXACTLY_ONCE)
        public void run() {}
    }

    static class FinalBehindAProxy {
        @Round(name = "report", every = "1h")
        public final void run() {}

        @Transactional
        public void other() {}
    }

    static class Elsewhere extends PackagePrivateRound {
        @Transactional
        public void other() {}
    }

    static class Asynchronous {
        @Round(name = "report", every = "1h")
        @Async
        public void run() {}
    }

    @Async
    static class AsynchronousClass {
        @Round(name = "report", every = "1h")
        public void run() {}
    }

    static class Stage {
        @Round(name = "report", every = "1h")
        public CompletableFuture<Void> run() {
            return new CompletableFuture<>();
        }
    }

    static class OldFuture {
        @Round(name = "report", every = "1h")
        public FutureTask<Void> run() {
            return new FutureTask<>(() -> null);
        }
    }

    static class JdksPublisher {
        @Round(name = "report", every = "1h")
        public Flow.Publisher<String> run() {
            return subscriber -> {};
        }
    }

    static class ReactorsMono {
        @Round(name = "report", every = "1h")
        public Mono<String> run() {
            return Mono.empty();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            NoName           | @Round of NoName.run: it has no name: say @Round
            NoPeriod         | @Round of NoPeriod.run: it has no period: say every =
            TwoSchedules     | @Round of TwoSchedules.run: cron is "@daily", but every and offset describe another schedule
            BadPeriod        | every is "soon", but must be a duration as 30s, 10m or PT1H
            NegativePeriod   | period is PT-1S
            UnresolvedPeriod | nowhere
            BadCron          | "every day" is no cron expression
            BadZone          | zone is "Mars", but there is no such zone
            ZoneWithoutCron  | but only cron has one
            Parameters       | the method must have no parameters, or one RoundContext
            Private          | the method is private or static, and must not be
            Doubly           | a round is exclusive already: remove @Exclusive
            Scheduled        | a round has a schedule of its own, and @Scheduled would run it on every instance
            AtSign           | re@port
            NoTransaction    | EXACTLY_ONCE needs its effects in the transaction that counts the slot, but NOT_SUPPORTED
            OwnTransaction   | EXACTLY_ONCE needs its effects in the transaction that counts the slot, but REQUIRES_NEW
            NoSuchManager    | @Round of NoSuchManager.run: EXACTLY_ONCE needs its effects in the transaction that counts the slot, but there is no one manager nobody
            JakartasTransaction | EXACTLY_ONCE needs its effects in the transaction that counts the slot, but REQUIRES_NEW
            JakartasClass    | EXACTLY_ONCE needs its effects in the transaction that counts the slot, but NOT_SUPPORTED
            FinalBehindAProxy | @Round of FinalBehindAProxy.run: the method is final, and the bean's proxy cannot hand its call on
            Elsewhere        | the method is package-private in another package, and the bean's proxy cannot hand its call on
            Asynchronous     | @Async has it run on another thread, and its lease would end before it
            AsynchronousClass | @Async has it run on another thread, and its lease would end before it
            Stage            | @Round of Stage.run: it returns a CompletableFuture, whose work goes on after its lease has ended
            OldFuture        | it returns a FutureTask, whose work goes on after its lease has ended
            JdksPublisher    | it returns a Publisher, whose work goes on after its lease has ended
            ReactorsMono     | it returns a Mono, whose work goes on after its lease has ended
            WrongPromise     | retryAfter is PT1S, but the promise AT_MOST_ONCE allows no second try
            """)
    void whatCannotBeARoundIsRefusedAtTheStartAndNamed(String type, String message) throws Exception {
        application
                .withBean(Class.forName(RefusedRoundsTest.class.getName() + "$" + type))
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(message));
    }

    /** Advice comes by other annotations too, and by none. */
    @Test
    void aProxyThatHandsTheCallToAnotherThreadIsRefusedWhateverMadeIt() {
        application
                .withBean(Reports.class)
                .withBean(BeanPostProcessor.class, Offloading::new)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(
                                "@Async has it run on another thread, and its lease would end before it"));
    }

    private static final class Offloading extends AbstractAdvisingBeanPostProcessor {

        private static final long serialVersionUID = 1L;

        Offloading() {
            advisor = new DefaultPointcutAdvisor(new AsyncExecutionInterceptor(Runnable::run));
            setProxyTargetClass(true);
        }

        @Override
        protected boolean isEligible(Class<?> type) {
            return type == Reports.class;
        }
    }

    /** Without a proxy nothing stands between. */
    @Test
    void aFinalMethodOfABeanWithoutAProxyIsARound() {
        application
                .withBean(FinalWithoutAProxy.class)
                .run(context -> assertThat(
                                context.getBean(ApplicationRounds.class).status())
                        .hasSize(1));
    }

    /** Spring fills the texts of its annotation in, so what stands in them is no reason to refuse. */
    @ParameterizedTest
    @ValueSource(classes = {TimeoutOfTheEnvironment.class, CountedTimeout.class, ManagerOfTheEnvironment.class})
    void placeholdersInTheTransactionAreFilledIn(Class<?> type) {
        application
                .withUserConfiguration(TwoManagers.class)
                .withPropertyValues("report.timeout=30", "report.manager=one")
                .withBean(type)
                .run(context -> assertThat(
                                context.getBean(ApplicationRounds.class).status())
                        .hasSize(1));
    }

    static class TimeoutOfTheEnvironment {
        @Round(name = "report", every = "1h")
        @Transactional(timeoutString = "${report.timeout}")
        public void run() {}
    }

    static class CountedTimeout {
        @Round(name = "report", every = "1h", promise = Promise.EXACTLY_ONCE)
        @Transactional(timeoutString = "${report.timeout}")
        public void run() {}
    }

    static class ManagerOfTheEnvironment {
        @Round(name = "report", every = "1h", promise = Promise.EXACTLY_ONCE)
        @Transactional("${report.manager}")
        public void run() {}
    }

    static class FinalWithoutAProxy {
        @Round(name = "report", every = "1h")
        public final void run() {}
    }

    @Test
    void exactlyOnceRefusesTransactionsOfAnotherManager() {
        application
                .withUserConfiguration(TwoManagers.class)
                .withBean(OtherManager.class)
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .hasStackTraceContaining(
                                        "EXACTLY_ONCE needs its effects in the transaction that counts the slot, but they are in one of the manager other"));
        application
                .withUserConfiguration(TwoManagers.class)
                .withBean(SameManager.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class OtherManager {
        @Round(name = "report", every = "1h", promise = Promise.EXACTLY_ONCE)
        @Transactional("other")
        public void run() {}
    }

    static class SameManager {
        @Round(name = "report", every = "1h", promise = Promise.EXACTLY_ONCE)
        @Transactional("one")
        public void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoManagers {

        @Bean
        @Primary
        DataSourceTransactionManager one(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean
        DataSourceTransactionManager other(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }
    }

    @Test
    void aBeanThatIsNoSingletonIsRefused() {
        application
                .withBean(Reports.class, Reports::new, definition -> definition.setScope("prototype"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("is no singleton, so it is not clear"));
    }

    @Test
    void twoRoundsOfOneNameAreRefused() {
        application
                .withBean(Reports.class)
                .withBean("again", Reports.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("there are two rounds of the name report"));
    }
}
