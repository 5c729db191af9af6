package dev.leasehold.spring.exclusive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.spring.CurrentLease;
import dev.leasehold.spring.Exclusive;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Exclusive methods that Spring calls on its own threads: whoever makes those, the lease applies. */
class SchedulersTest {

    private static final int LIMIT_SECONDS = 30;

    private final TestDatabase database = TestPostgres.freshDatabase();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    LeaseholdAutoConfiguration.class,
                    ExclusiveAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=" + database.jdbcUrl());

    static class Jobs {

        private final LinkedBlockingQueue<String> calls = new LinkedBlockingQueue<>();
        private final LinkedBlockingQueue<String> ticks = new LinkedBlockingQueue<>();

        LinkedBlockingQueue<String> calls() {
            return calls;
        }

        LinkedBlockingQueue<String> ticks() {
            return ticks;
        }

        @Scheduled(fixedDelay = 20)
        @Exclusive("sweep")
        public void sweep() {
            calls.add(CurrentLease.get().orElseThrow().name() + " on "
                    + Thread.currentThread().getName());
        }

        @Scheduled(fixedDelay = 20)
        public void tick() {
            ticks.add("tick");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class None {}

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Pool {
        @Bean
        ThreadPoolTaskScheduler mine() {
            var scheduler = new ThreadPoolTaskScheduler();
            scheduler.setThreadNamePrefix("mine-");
            scheduler.setPoolSize(2);
            return scheduler;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class ThreadATask {
        @Bean
        SimpleAsyncTaskScheduler mine() {
            var scheduler = new SimpleAsyncTaskScheduler();
            scheduler.setThreadNamePrefix("mine-");
            return scheduler;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Several {
        @Bean
        TaskScheduler taskScheduler() {
            var scheduler = new ThreadPoolTaskScheduler();
            scheduler.setThreadNamePrefix("mine-");
            return scheduler;
        }

        @Bean
        TaskScheduler another() {
            return new SimpleAsyncTaskScheduler();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"None", "Pool", "ThreadATask", "Several"})
    void scheduledCallsAreExclusiveWhateverSchedulesThem(String schedulers) throws Exception {
        try (var others = Leases.on(database.dataSource()).build()) {
            var lease = others.tryAcquire("sweep").lease().orElseThrow();
            application
                    .withUserConfiguration(Class.forName(SchedulersTest.class.getName() + "$" + schedulers))
                    .withBean(Jobs.class)
                    .run(context -> {
                        var jobs = context.getBean(Jobs.class);
                        for (int i = 0; i < 10; i++) {
                            assertThat(jobs.ticks().poll(LIMIT_SECONDS, TimeUnit.SECONDS))
                                    .isEqualTo("tick");
                        }
                        assertThat(jobs.calls())
                                .as("while another instance holds it")
                                .isEmpty();
                        lease.release();
                        assertThat(jobs.calls().poll(LIMIT_SECONDS, TimeUnit.SECONDS))
                                .startsWith(schedulers.equals("None") ? "sweep on " : "sweep on mine-");
                    });
        }
    }

    static class AsyncJobs {

        private final CompletableFuture<Void> end = new CompletableFuture<>();

        CompletableFuture<Void> end() {
            return end;
        }

        @Async
        @Exclusive(name = "sweep", otherwise = "'busy'")
        public CompletableFuture<String> sweep() {
            end.join();
            return CompletableFuture.completedFuture(
                    CurrentLease.get().orElseThrow().name() + " on "
                            + Thread.currentThread().getName());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class AsyncCalls {
        @Bean
        ThreadPoolTaskScheduler taskExecutor() {
            var scheduler = new ThreadPoolTaskScheduler();
            scheduler.setThreadNamePrefix("async-");
            scheduler.setPoolSize(2);
            return scheduler;
        }
    }

    @Test
    void theLeaseOfAnAsynchronousCallLastsAsLongAsItsWork() {
        application
                .withUserConfiguration(AsyncCalls.class)
                .withBean(AsyncJobs.class)
                .run(context -> {
                    var jobs = context.getBean(AsyncJobs.class);
                    var first = jobs.sweep();
                    await(() -> database.queryForLong("select count(*) from leases where expires_at > now()") == 1);
                    assertThat(jobs.sweep())
                            .succeedsWithin(Duration.ofSeconds(LIMIT_SECONDS))
                            .isEqualTo("busy");
                    assertThat(first).isNotDone();
                    jobs.end().complete(null);
                    assertThat(first)
                            .succeedsWithin(Duration.ofSeconds(LIMIT_SECONDS))
                            .asString()
                            .startsWith("sweep on async-");
                    assertThat(database.queryForLong("select count(*) from leases where expires_at > now()"))
                            .isZero();
                });
    }

    interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(Condition condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!condition.holds()) {
            assertThat(Optional.of(System.nanoTime()))
                    .as("within the limit")
                    .hasValueSatisfying(now -> assertThat(now).isLessThan(end));
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }
}
