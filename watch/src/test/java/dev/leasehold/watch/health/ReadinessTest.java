package dev.leasehold.watch.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.watch.running.SilentServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ReadinessTest {

    @Test
    void silentDatabaseIsUnreadyWithinTheBoundAndCostsOneThreadHoweverOftenItIsAsked() throws Exception {
        try (var server = new SilentServer();
                var pool = poolOn(server.jdbcUrl());
                var readiness = new Readiness(pool)) {
            var probes = Executors.newFixedThreadPool(20);
            try {
                List<Callable<Verdict>> manyProbes = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    manyProbes.add(readiness::ask);
                }
                for (int round = 0; round < 3; round++) {
                    long start = System.nanoTime();
                    for (Future<Verdict> answer : probes.invokeAll(manyProbes)) {
                        assertThat(answer.get().reason()).isEqualTo("database away");
                    }
                    assertThat(Duration.ofNanos(System.nanoTime() - start))
                            .isBetween(Duration.ofMillis(900), Duration.ofSeconds(4));
                    assertThat(probeThreads()).isEqualTo(1);
                    assertThat(server.connections()).isLessThanOrEqualTo(4);
                }
            } finally {
                probes.shutdownNow();
            }
        }
    }

    private static long probeThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("watch-readiness"))
                .count();
    }

    @Test
    void refusedConnectionIsADatabaseThatIsAwayWithTheDriversWords() throws Exception {
        try (var pool = poolOn("jdbc:postgresql://127.0.0.1:1/none?user=nobody")) {
            pool.setConnectionTimeout(500);
            try (var readiness = new Readiness(pool)) {
                Verdict verdict = readiness.ask();

                assertThat(verdict.reason()).isEqualTo("database away");
                assertThat(verdict.detail()).contains("127.0.0.1:1");
            }
        }
    }

    @Test
    void connectionThatCameLateIsGivenBack() throws Exception {
        var database = TestPostgres.freshDatabase();
        try (var pool = poolOn(database.jdbcUrl());
                var readiness = new Readiness(pool)) {
            pool.setMaximumPoolSize(1);
            var borrowed = pool.getConnection();
            assertThat(readiness.ask().reason()).isEqualTo("pool empty");
            borrowed.close();

            // the probe that was waiting takes it now; the pool's only connection must come back from it
            try (var again = pool.getConnection()) {
                assertThat(again.isValid(1)).isTrue();
            }
            assertThat(readiness.ask().isReady()).isTrue();
        }
    }

    private static HikariDataSource poolOn(String jdbcUrl) {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(jdbcUrl);
        pool.setMaximumPoolSize(4);
        pool.setConnectionTimeout(10_000);
        pool.setInitializationFailTimeout(-1);
        return pool;
    }
}
