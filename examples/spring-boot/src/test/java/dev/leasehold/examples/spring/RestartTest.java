package dev.leasehold.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** What development tools do in one JVM: end the application and start it again. */
class RestartTest {

    private final TestDatabase database = TestPostgres.freshDatabase();

    @Test
    void itStartsAndEndsAgainAndAgainInOneJvmAndLeavesNoThread() throws Exception {
        AnotherSender.of(database);
        for (int start = 1; start <= 2; start++) {
            var application = new SpringApplicationBuilder(Application.class)
                    .properties(AnotherSender.OPTIONS)
                    .run("--server.port=0", "--spring.datasource.url=" + database.jdbcUrl());
            assertThat(application.getBean(Invoices.class).next("someone")).hasValue(start);
            assertThat(threads()).isNotEmpty();
            application.close();
            application.close();
            awaitNoThreads();
        }
        assertThat(database.queryForLong(
                        "select count(*) from leases where expires_at <> 'epoch' and holder <> 'another'"))
                .as("leases that were not released")
                .isZero();
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("leasehold-"))
                .sorted()
                .toList();
    }

    /** A thread that has nothing more to do may take a moment to end. */
    private static void awaitNoThreads() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!threads().isEmpty()) {
            assertThat(System.nanoTime()).as("threads " + threads()).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }
}
