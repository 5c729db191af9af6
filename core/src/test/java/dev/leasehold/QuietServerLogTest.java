package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Twenty nodes at once. On a server of its own, whose log is of this alone, and whose commits do not wait for a busy disk: a node
 * that waits for the first insert of a name for too long gives up, and the log would tell.
 */
class QuietServerLogTest {

    private static final int NODES = 20;
    private static final int ROUNDS = 10;

    /** Every other node's pool has autocommit off; the driver's raiseExceptionOnSilentRollback is on, as by default. */
    private static HikariDataSource pool(TestDatabase database, int node) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setMaximumPoolSize(2);
        config.setMinimumIdle(1);
        config.setAutoCommit(node % 2 == 0);
        return new HikariDataSource(config);
    }

    @ParameterizedTest
    @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
    void twentyNodesAgainstAnEmptyDatabaseHaveOneWinnerEachTimeAndTheServerLogsNoError(String isolation)
            throws Exception {
        var threads = Executors.newFixedThreadPool(NODES);
        List<AutoCloseable> opened = new ArrayList<>();
        try (var server =
                TestServer.start(Map.of("default_transaction_isolation", "'" + isolation + "'", "fsync", "off"))) {
            var database = server.freshDatabase();
            var barrier = new CyclicBarrier(NODES);
            var results = new ArrayList<Future<List<Lease>>>();
            for (int node = 0; node < NODES; node++) {
                var pool = pool(database, node);
                opened.add(0, pool);
                results.add(threads.submit(() -> {
                    barrier.await(60, TimeUnit.SECONDS);
                    var leases = Leases.on(pool).build();
                    var won = new ArrayList<Lease>();
                    for (int round = 0; round < ROUNDS; round++) {
                        barrier.await(60, TimeUnit.SECONDS);
                        leases.tryAcquire("round " + round).lease().ifPresent(won::add);
                        barrier.await(60, TimeUnit.SECONDS);
                        // Now contended in turns: the row is there, and each that wins gives it back.
                        leases.tryAcquire("again").lease().ifPresent(Lease::release);
                    }
                    barrier.await(60, TimeUnit.SECONDS);
                    won.forEach(Lease::release);
                    leases.close();
                    return won;
                }));
            }
            var won = new ArrayList<String>();
            for (var result : results) {
                result.get().forEach(lease -> won.add(lease.name()));
            }
            assertThat(won).hasSize(ROUNDS).doesNotHaveDuplicates();
            assertThat(database.queryForString("show default_transaction_isolation"))
                    .isEqualTo(isolation);
            assertThat(database.serverLog()).noneMatch(line -> line.contains("ERROR") || line.contains("WARNING"));
            for (AutoCloseable closeable : opened) {
                closeable.close();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
