package dev.leasehold.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Grid;
import dev.leasehold.Leases;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who asks for a slot in the moment in which another acquires or counts it looks at the row again. */
class ContendedSlotTest {

    private static final int INSTANCES = 8;
    private static final Duration LENGTH = Duration.ofSeconds(4);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** Of all instances together, so that they have met often. */
    private static final int ENOUGH = 100;

    private static final Grid GRID = Grid.every(Duration.ofMillis(1));

    private static void contend(TestDatabase database, AtomicInteger acquired) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setMaximumPoolSize(2);
        long start = System.nanoTime();
        try (var pool = new HikariDataSource(config);
                var leases = Leases.on(pool).build()) {
            while (System.nanoTime() - start < (acquired.get() > ENOUGH ? LENGTH : LIMIT).toNanos()) {
                var lease = leases.tryAcquireSlot("contended", GRID).lease();
                lease.ifPresent(held -> assertThat(held.releaseDone()).isNotNull());
                lease.ifPresent(held -> acquired.incrementAndGet());
            }
        }
    }

    @Test
    void aSecondLookAtTheRowIsNoErrorForTheServer() throws Exception {
        var threads = Executors.newFixedThreadPool(INSTANCES);
        try (var server = TestServer.start(Map.of())) {
            var database = server.freshDatabase();
            Leases.on(database.dataSource()).build().close();
            var all = new ArrayList<Future<?>>();
            var acquired = new AtomicInteger();
            for (int i = 0; i < INSTANCES; i++) {
                all.add(threads.submit(() -> contend(database, acquired)));
            }
            for (var one : all) {
                one.get();
            }
            assertThat(acquired.get()).as("acquired slots").isGreaterThan(ENOUGH);
            assertThat(ServerMessages.of(database).errors()).isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }
}
