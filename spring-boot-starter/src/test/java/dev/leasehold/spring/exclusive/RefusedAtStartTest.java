package dev.leasehold.spring.exclusive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.rounds.Scope;
import dev.leasehold.spring.Exclusive;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import dev.leasehold.spring.running.PackagePrivateJob;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.PriorityOrdered;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** What is not seen to at a call is refused when the application starts, and never runs without a lease unseen. */
@ExtendWith(OutputCaptureExtension.class)
class RefusedAtStartTest {

    private final TestDatabase database = TestPostgres.freshDatabase();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    LeaseholdAutoConfiguration.class,
                    ExclusiveAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=" + database.jdbcUrl());

    static class Private {
        @Exclusive("sweep")
        private void sweep() {}

        void call() {
            sweep();
        }
    }

    static class Final {
        @Exclusive("sweep")
        public final void sweep() {}
    }

    static class Static {
        @Exclusive("sweep")
        public static void sweep() {}
    }

    static class CallsItself {
        public void all() {
            sweep();
        }

        @Exclusive("sweep")
        public void sweep() {}
    }

    static class RefersToItself {
        public Runnable all() {
            return this::sweep;
        }

        @Exclusive("sweep")
        public void sweep() {}
    }

    static class CallsItselfInALambda {
        public Runnable all() {
            return () -> sweep();
        }

        @Exclusive("sweep")
        public void sweep() {}
    }

    static class CallsAnotherLease {
        @Exclusive("all")
        public void all() {
            sweep();
        }

        @Exclusive("sweep")
        public void sweep() {}
    }

    static class CallsAnotherScope {
        @Exclusive(name = "sweep", scope = Scope.NODE)
        public void onEachNode() {
            Runnable sweep = () -> sweep();
            sweep.run();
        }

        @Exclusive("sweep")
        public void sweep() {}
    }

    static class CallsItselfInAnInnerClass {
        public void all() {
            Runnable inner = new Runnable() {
                @Override
                public void run() {
                    Runnable deeper = () -> sweep();
                    deeper.run();
                }
            };
            inner.run();
        }

        @Exclusive("sweep")
        public void sweep() {}
    }

    static class Nameless {
        @Exclusive
        public void sweep() {}
    }

    static class Unresolved {
        @Exclusive("${nowhere}")
        public void sweep() {}
    }

    static class NoExpression {
        @Exclusive("#{1 +}")
        public void sweep() {}
    }

    static class WrongTtl {
        @Exclusive(name = "sweep", ttl = "1x")
        public void sweep() {}
    }

    static class ShortTtl {
        @Exclusive(name = "sweep", ttl = "1s")
        public void sweep() {}
    }

    static class NegativeWait {
        @Exclusive(name = "sweep", waitFor = "-1s")
        public void sweep() {}
    }

    static class Undeclared {
        @Exclusive("sweep")
        public int sweep() {
            return 1;
        }
    }

    static class UndeclaredStage {
        @Exclusive("sweep")
        public CompletableFuture<String> sweep() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class Elsewhere extends PackagePrivateJob {}

    static class WrongType {
        @Exclusive(name = "sweep", otherwise = "'none'")
        public int sweep() {
            return 1;
        }
    }

    static class OldFuture {
        @Exclusive("sweep")
        public Future<Void> sweep() {
            return new FutureTask<>(() -> null);
        }
    }

    static class Reactive {
        @Exclusive("sweep")
        public Flow.Publisher<String> sweep() {
            return subscriber -> {};
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Private              | Private.sweep(): it is private or static
            Final                | Final.sweep(): it is final
            Static               | Static.sweep(): it is private or static
            CallsItself          | CallsItself.all calls it by this, past the proxy
            RefersToItself       | RefersToItself.all calls it by this, past the proxy
            CallsItselfInALambda | calls it by this, past the proxy
            CallsAnotherLease    | CallsAnotherLease.all calls it by this, past the proxy
            CallsAnotherScope    | CallsAnotherScope.onEachNode calls it by this, past the proxy
            CallsItselfInAnInnerClass | CallsItselfInAnInnerClass.all calls it by this, past the proxy
            Nameless             | Nameless.sweep(): it has no name
            Unresolved           | nowhere
            NoExpression         | "#{1 +}" is no expression
            WrongTtl             | ttl is "1x", but must be a duration as 30s
            ShortTtl             | @Exclusive of ShortTtl.sweep(): ttl is PT1S, but must be PT10.91S to 1 day
            NegativeWait         | waitFor is -1s, but must be zero or more
            Undeclared           | it returns int: say what a skipped call returns by otherwise
            UndeclaredStage      | it returns String: say what a skipped call returns by otherwise
            Elsewhere            | it is package-private in another package, and no proxy can see its calls
            WrongType            | WrongType.sweep()
            OldFuture            | it returns a Future, whose end nobody is told of
            Reactive             | it returns a Publisher, whose work begins after the method has ended
            """)
    void whatCannotBeSeenToIsRefusedAndNamed(String type, String message) throws Exception {
        application
                .withBean(Class.forName(RefusedAtStartTest.class.getName() + "$" + type))
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(message));
    }

    static class Jobs {

        private final AtomicInteger runs = new AtomicInteger();

        int runs() {
            return runs.get();
        }

        @Exclusive("sweep")
        public void sweep() {
            runs.incrementAndGet();
        }
    }

    /** A call from an exclusive method that has a lease is no call without one. */
    static class CallsFromUnderALease {
        @Exclusive("sweep")
        public void all() {
            sweep();
        }

        @Exclusive("sweep")
        public void sweep() {}

        @Exclusive("sweep")
        public void lambda() {
            Runnable outer = () -> {
                Runnable inner = () -> sweep();
                inner.run();
            };
            outer.run();
        }

        @Exclusive("sweep")
        public void innerClass() {
            Runnable inner = new Runnable() {
                @Override
                public void run() {
                    sweep();
                }
            };
            inner.run();
        }

        public void viaAnother(CallsFromUnderALease another) {
            another.sweep();
            Runnable inner = new Runnable() {
                @Override
                public void run() {
                    another.sweep();
                }
            };
            inner.run();
        }
    }

    @Test
    void callsThatMayBeRightAreNotRefused() {
        application
                .withBean(CallsFromUnderALease.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void withoutADataSourceTheApplicationDoesNotStart() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(LeaseholdAutoConfiguration.class, ExclusiveAutoConfiguration.class))
                .withBean(Jobs.class)
                .run(context -> assertThat(context).getFailure().hasMessageContaining("there is no DataSource bean"));
    }

    @Test
    void turnedOffItRunsEverywhereAndSaysSo(CapturedOutput output) {
        application
                .withPropertyValues("leasehold.enabled=false")
                .withBean(Jobs.class)
                .run(context -> {
                    context.getBean(Jobs.class).sweep();
                    assertThat(context.getBean(Jobs.class).runs()).isEqualTo(1);
                    assertThat(output)
                            .contains("leasehold.enabled is false: 1 exclusive methods run on every instance");
                });
    }

    /** Made before any bean is looked at, for it is needed by what looks at beans itself. */
    static class Early implements BeanPostProcessor, PriorityOrdered, BeanFactoryAware {
        @Override
        public void setBeanFactory(BeanFactory beans) {
            assertThat(beans.getBean(Jobs.class)).isNotNull();
        }

        @Override
        public int getOrder() {
            return 0;
        }
    }

    @Test
    void aBeanThatIsMadeTooEarlyForItsProxyIsRefused() {
        application
                .withBean(Jobs.class)
                .withBean(Early.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("@Exclusive of Jobs.sweep(): the bean has no proxy"));
    }

    @Test
    void aBeanOfAScopeIsCheckedBehindItsProxyAndMadeAsOftenAsOneLikes() {
        application
                .withInitializer(context -> {
                    context.getBeanFactory().registerScope("often", new SimpleThreadScope());
                    var definition = new RootBeanDefinition(Jobs.class);
                    definition.setScope("often");
                    var holder = ScopedProxyUtils.createScopedProxy(
                            new BeanDefinitionHolder(definition, "jobs"),
                            (BeanDefinitionRegistry) context.getBeanFactory(),
                            true);
                    ((BeanDefinitionRegistry) context.getBeanFactory())
                            .registerBeanDefinition("jobs", holder.getBeanDefinition());
                })
                .run(context -> {
                    var jobs = (Jobs) context.getBean("jobs");
                    jobs.sweep();
                    assertThat(jobs.runs()).isEqualTo(1);
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(order = 0)
    static class AsyncOfAnother {}

    static class AsyncBeside {
        @Async
        public void another() {}

        @Exclusive("sweep")
        public void sweep() {}
    }

    interface Job<T> {
        void run(T what);
    }

    static class GenericJob implements Job<String> {
        @Override
        @Exclusive("sweep")
        public void run(String what) {}
    }

    @Test
    void whatCanBeSeenToIsNotRefused() {
        application
                .withUserConfiguration(AsyncOfAnother.class)
                .withBean(AsyncBeside.class)
                .run(context -> assertThat(context).hasNotFailed());
        application
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean(GenericJob.class)
                .run(context -> assertThat(context).hasNotFailed());
        application.withBean(ByThread.class).run(context -> assertThat(context).hasNotFailed());
    }

    /** Knows its tenant on the threads that have one, and the start has none. */
    static class ByThread {
        @Exclusive("report of #{T(java.util.Objects).requireNonNull(null)}")
        public void report() {}
    }

    @EnableAsync(order = 0)
    static class AsyncTooEarly {}

    static class AsyncJobs {
        @Async
        @Exclusive("sweep")
        public void sweep() {}
    }

    @Test
    void aLeaseThatWouldEndBeforeTheWorkBeginsIsRefused() {
        application
                .withUserConfiguration(AsyncTooEarly.class)
                .withBean(AsyncJobs.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("@Async comes inside of it, so the lease would be released before"));
    }
}
