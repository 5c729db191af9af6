package dev.leasehold.spring.exclusive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.LeaseMetrics;
import dev.leasehold.Leases;
import dev.leasehold.spring.CurrentLease;
import dev.leasehold.spring.Exclusive;
import dev.leasehold.spring.LeaseholdAutoConfiguration;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;

/** Exclusive work that is under way when the application stops has its lease and its database until it ends. */
class ShutdownTest {

    private static final int LIMIT_SECONDS = 60;
    private static final Duration LIMIT = Duration.ofSeconds(LIMIT_SECONDS);

    private final TestDatabase database = TestPostgres.freshDatabase();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    LifecycleAutoConfiguration.class,
                    TaskSchedulingAutoConfiguration.class,
                    LeaseholdAutoConfiguration.class,
                    ExclusiveAutoConfiguration.class))
            .withBean(NextPhase.class)
            .withPropertyValues(
                    "spring.datasource.url=" + database.jdbcUrl(),
                    "spring.lifecycle.timeout-per-shutdown-phase=" + 10 * LIMIT_SECONDS + "s");

    /** Tells when work has begun, when the application begins to stop, and when all that stops first has stopped. */
    static class NextPhase implements SmartLifecycle, ApplicationListener<ContextClosedEvent> {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch closing = new CountDownLatch(1);
        private final CountDownLatch reached = new CountDownLatch(1);
        private final AtomicBoolean running = new AtomicBoolean();

        private volatile Runnable whenReached = () -> {};

        void whenReached(Runnable action) {
            whenReached = action;
        }

        void awaitReached() throws InterruptedException {
            assertThat(reached.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        }

        void workBegins() {
            begun.countDown();
        }

        void awaitWork() throws InterruptedException {
            assertThat(begun.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        }

        void awaitClosing() throws InterruptedException {
            assertThat(closing.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        }

        /** Whether it comes within a time in which it would have come if nobody had waited. */
        boolean comes() throws InterruptedException {
            return reached.await(300, TimeUnit.MILLISECONDS);
        }

        @Override
        public void onApplicationEvent(ContextClosedEvent event) {
            closing.countDown();
        }

        @Override
        public void start() {
            running.set(true);
        }

        @Override
        public void stop() {
            reached.countDown();
            whenReached.run();
            running.set(false);
        }

        @Override
        public boolean isRunning() {
            return running.get();
        }

        @Override
        public int getPhase() {
            return DEFAULT_PHASE - 1;
        }
    }

    static class Jobs {

        private final NextPhase nextPhase;
        private final JdbcTemplate jdbc;
        private final CompletableFuture<String> seen = new CompletableFuture<>();

        Jobs(NextPhase nextPhase, JdbcTemplate jdbc) {
            this.nextPhase = nextPhase;
            this.jdbc = jdbc;
        }

        String seen() {
            return seen.getNow("nothing, for it still works");
        }

        protected void work() {
            try {
                nextPhase.workBegins();
                nextPhase.awaitClosing();
                String early = nextPhase.comes() ? "too late, " : "";
                String holder = CurrentLease.require("sweep").holder();
                String sql = "select case holder when ? then 'holder' else 'another' end from leases";
                seen.complete(early + jdbc.queryForObject(sql, String.class, holder));
            } catch (Throwable thrown) {
                seen.completeExceptionally(thrown);
            }
        }

        @Exclusive("sweep")
        public void sweep() {
            work();
        }

        @Async
        @Exclusive("sweep")
        public void sweepLater() {
            work();
        }

        @Exclusive("sweep")
        public CompletableFuture<Void> returned(CompletableFuture<Void> end) {
            return end;
        }

        @Exclusive("sweep")
        public CompletableFuture<Void> returnedInTheStop(CompletableFuture<Void> end) throws InterruptedException {
            nextPhase.workBegins();
            nextPhase.awaitClosing();
            nextPhase.comes();
            return end;
        }

        /** Ends when another has begun. */
        @Exclusive("#{#name}")
        public void overlap(String name, Semaphore mine, Semaphore others) {
            mine.release();
            others.acquireUninterruptibly();
            nextPhase.workBegins();
        }

        @Exclusive(name = "sweep", waitFor = "1h")
        public void patient() {}

        @Exclusive("another")
        public void close(ConfigurableApplicationContext context) {
            context.close();
        }
    }

    static class ScheduledJobs extends Jobs {

        ScheduledJobs(NextPhase nextPhase, JdbcTemplate jdbc) {
            super(nextPhase, jdbc);
        }

        @Scheduled(fixedRate = 1, timeUnit = TimeUnit.DAYS)
        @Exclusive("sweep")
        public void scheduled() {
            work();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    @Import(ScheduledJobs.class)
    static class Schedules {}

    @Configuration(proxyBeanMethods = false)
    static class ThreadATask {
        @Bean
        SimpleAsyncTaskScheduler mine() {
            return new SimpleAsyncTaskScheduler();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    @Import(Jobs.class)
    static class AsyncThreadATask {
        @Bean
        SimpleAsyncTaskExecutor mine() {
            return new SimpleAsyncTaskExecutor();
        }
    }

    private void endsBeforeItsPool(ApplicationContextRunner application, Consumer<BeanFactory> begin) {
        application.run(context -> {
            begin.accept(context);
            context.getBean(NextPhase.class).awaitWork();
            var jobs = context.getBean(Jobs.class);
            context.close();
            assertThat(jobs.seen()).isEqualTo("holder");
            assertThat(held()).as("leases that were not released").isZero();
        });
    }

    /** On a thread of its own, however few the common pool has. */
    private static CompletableFuture<Void> start(Runnable work) {
        return CompletableFuture.runAsync(work, task -> new Thread(task).start());
    }

    private long held() throws SQLException {
        return database.queryForLong("select count(*) from leases where expires_at > 'epoch'");
    }

    /** Before Java 21 there are no virtual ones, and the property says nothing. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void scheduledWorkOfBootsThreadsEndsBeforeItsPool(boolean virtual) {
        endsBeforeItsPool(
                application
                        .withUserConfiguration(Schedules.class)
                        .withPropertyValues("spring.threads.virtual.enabled=" + virtual),
                context -> {});
    }

    @Test
    void scheduledWorkOfOwnThreadsEndsBeforeItsPool() {
        endsBeforeItsPool(application.withUserConfiguration(Schedules.class, ThreadATask.class), context -> {});
    }

    /** Nobody asks for the job then, and it is scheduled, exclusive and waited for all the same. */
    @Test
    void scheduledWorkOfABeanThatNobodyAsksForEndsBeforeItsPool() {
        endsBeforeItsPool(
                application
                        .withUserConfiguration(Schedules.class)
                        .withInitializer(context ->
                                context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor())),
                context -> {});
    }

    @Test
    void asynchronousWorkEndsBeforeItsPool() {
        endsBeforeItsPool(
                application.withUserConfiguration(AsyncThreadATask.class),
                context -> context.getBean(Jobs.class).sweepLater());
    }

    @Test
    void workOfAThreadThatNobodyKnowsEndsBeforeItsPool() {
        endsBeforeItsPool(
                application.withBean(Jobs.class), context -> new Thread(context.getBean(Jobs.class)::sweep).start());
    }

    @Test
    void aStageThatIsReturnedIsWaitedForToo() {
        application.withBean(Jobs.class).run(context -> {
            var end = new CompletableFuture<Void>();
            var returned = context.getBean(Jobs.class).returned(end);
            var nextPhase = context.getBean(NextPhase.class);
            var closing = start(context::close);
            nextPhase.awaitClosing();
            assertThat(nextPhase.comes()).isFalse();
            end.complete(null);
            assertThat(closing).succeedsWithin(LIMIT);
            assertThat(returned).isCompleted();
            assertThat(held()).isZero();
        });
    }

    @Test
    void aStageThatIsReturnedInTheStopIsWaitedForToo() {
        application.withBean(Jobs.class).run(context -> {
            var end = new CompletableFuture<Void>();
            var jobs = context.getBean(Jobs.class);
            var method = start(() -> returnInTheStop(jobs, end));
            var nextPhase = context.getBean(NextPhase.class);
            nextPhase.awaitWork();
            var closing = start(context::close);
            assertThat(method).succeedsWithin(LIMIT);
            assertThat(nextPhase.comes()).isFalse();
            end.complete(null);
            assertThat(closing).succeedsWithin(LIMIT);
            assertThat(held()).isZero();
        });
    }

    private static void returnInTheStop(Jobs jobs, CompletableFuture<Void> end) {
        try {
            var unused = jobs.returnedInTheStop(end);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A web server stops later than schedulers. */
    @Test
    void workThatBeginsInTheStopEndsBeforeItsPool() {
        application.withBean(Jobs.class).run(context -> {
            var end = new CompletableFuture<Void>();
            var jobs = context.getBean(Jobs.class);
            var nextPhase = context.getBean(NextPhase.class);
            nextPhase.whenReached(() -> {
                var unused = jobs.returned(end);
            });
            var closing = start(context::close);
            nextPhase.awaitReached();
            assertThat(closing)
                    .failsWithin(Duration.ofMillis(300))
                    .withThrowableThat()
                    .isInstanceOf(TimeoutException.class);
            end.complete(null);
            assertThat(closing).succeedsWithin(LIMIT);
            assertThat(held()).isZero();
        });
    }

    /** Requests, say, of which one has always begun before the one before it ends. */
    @Test
    void noStopWaitsForWorkThatBeginsInIt() {
        application.withBean(Jobs.class).run(context -> {
            var jobs = context.getBean(Jobs.class);
            var nextPhase = context.getBean(NextPhase.class);
            var over = new AtomicBoolean();
            var one = new Semaphore(-1);
            var other = new Semaphore(0);
            var ones = start(() -> repeat(over, () -> jobs.overlap("one", one, other)));
            var others = start(() -> repeat(over, () -> jobs.overlap("other", other, one)));
            nextPhase.awaitWork();
            nextPhase.whenReached(() -> {
                over.set(true);
                one.release(LIMIT_SECONDS);
                other.release(LIMIT_SECONDS);
            });
            var closing = start(context::close);
            try {
                nextPhase.awaitReached();
            } finally {
                over.set(true);
                one.release(LIMIT_SECONDS);
                other.release(LIMIT_SECONDS);
            }
            assertThat(closing).succeedsWithin(LIMIT);
            // The last call of each may have come when the leases were closed.
            assertThat(CompletableFuture.allOf(ones, others).handle((none, failure) -> true))
                    .succeedsWithin(LIMIT);
        });
    }

    private static void repeat(AtomicBoolean over, Runnable work) {
        while (!over.get()) {
            work.run();
        }
    }

    /** Neither who has no lease yet, nor who waits for the end himself. */
    @Test
    void noStopWaitsForWhatCannotEnd() {
        var refused = new CountDownLatch(1);
        LeaseMetrics metrics = new LeaseMetrics() {
            @Override
            public void refused(String name) {
                refused.countDown();
            }
        };
        application
                .withBean(LeaseMetrics.class, () -> metrics)
                .withBean(Jobs.class)
                .run(context -> {
                    var jobs = context.getBean(Jobs.class);
                    try (var others = Leases.on(database.dataSource()).build()) {
                        var unused = others.tryAcquire("sweep");
                        var waiting = start(jobs::patient);
                        assertThat(refused.await(LIMIT_SECONDS, TimeUnit.SECONDS))
                                .isTrue();
                        var closing = start(() -> jobs.close(context));
                        assertThat(closing).succeedsWithin(LIMIT);
                        assertThat(waiting).failsWithin(LIMIT);
                    }
                });
    }
}
