package dev.leasehold.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Scheduled methods of Spring with ShedLock's annotation, in several instances of an application. */
class SchedulerLockTest {

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Job job = new Job();

    /** What all instances share, to see whether they overlap. */
    static class Job {

        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger runs = new AtomicInteger();
        private final AtomicInteger overlaps = new AtomicInteger();

        void run() throws InterruptedException {
            LockAssert.assertLocked();
            overlaps.addAndGet(inside.incrementAndGet() > 1 ? 1 : 0);
            TimeUnit.MILLISECONDS.sleep(20);
            inside.decrementAndGet();
            runs.incrementAndGet();
        }
    }

    @Configuration
    @EnableScheduling
    @EnableSchedulerLock(defaultLockAtMostFor = "10m")
    static class Instance {

        @Bean
        LockProvider lockProvider(Leases leases) {
            return LeaseholdLockProvider.on(leases);
        }
    }

    static class Often {

        private final Job job;

        Often(Job job) {
            this.job = job;
        }

        @Scheduled(fixedRate = 10)
        @SchedulerLock(name = "often")
        public void run() throws InterruptedException {
            job.run();
        }
    }

    static class Once {

        private final Job job;

        Once(Job job) {
            this.job = job;
        }

        @Scheduled(fixedRate = 10)
        @SchedulerLock(name = "once", lockAtLeastFor = "5m")
        public void run() throws InterruptedException {
            job.run();
        }
    }

    private AnnotationConfigApplicationContext instance(Class<?> scheduled) {
        var context = new AnnotationConfigApplicationContext();
        context.registerBean(
                Leases.class, () -> Leases.on(database.dataSource()).build());
        context.registerBean(Job.class, () -> job);
        context.register(Instance.class, scheduled);
        context.refresh();
        return context;
    }

    @Test
    void aScheduledMethodNeverRunsInTwoInstancesAtATime() throws Exception {
        try (var first = instance(Often.class);
                var second = instance(Often.class)) {
            Await.until("thirty runs", () -> job.runs.get() >= 30);
            assertThat(first.isActive() && second.isActive()).isTrue();
        }
        assertThat(job.overlaps).hasValue(0);
        assertThat(database.queryForLong("select count(*) from leases where name = 'often'"))
                .isEqualTo(1);
    }

    @Test
    void lockAtLeastForKeepsTheOtherInstanceFromTheSameTick() throws Exception {
        try (var first = instance(Once.class)) {
            Await.until(
                    "a run",
                    () -> job.runs.get() == 1
                            && new LockRows(database).holder("once").equals("-"));
            try (var second = instance(Once.class)) {
                second.getBean(Once.class).run();
                first.getBean(Once.class).run();
            }
        }
        assertThat(job.runs).hasValue(1);
    }
}
