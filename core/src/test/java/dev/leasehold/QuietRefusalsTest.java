package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Losing costs the database nothing that lasts. On a server of its own, so that nothing else writes. */
class QuietRefusalsTest {

    private static final int THREADS = 8;
    private static final int REFUSALS = 10_000;
    private static final int FIRST_ASKS = 20;

    @Test
    void aRefusalOnAHeldLeaseAssignsNoTransactionIdAndWritesNoWal() throws Exception {
        var quiet =
                Map.of("autovacuum", "off", "checkpoint_timeout", "1d", "wal_level", "minimal", "max_wal_senders", "0");
        try (var server = TestServer.start(quiet)) {
            var database = server.freshDatabase();
            var config = new HikariConfig();
            config.setDataSource(database.dataSource());
            config.setMaximumPoolSize(1);
            try (var pool = new HikariDataSource(config);
                    var holder = Leases.on(database.dataSource())
                            .ttl(Duration.ofHours(1))
                            .build();
                    var contender = Leases.on(pool).build()) {
                assertThat(holder.tryAcquire("plain").lease()).isPresent();
                assertThat(holder.tryAcquire("slot").lease()).isPresent();
                for (int i = 0; i < THREADS; i++) {
                    assertThat(holder.tryAcquire("plain-" + i).lease()).isPresent();
                    assertThat(holder.tryAcquire("slot-" + i).lease()).isPresent();
                }
                var grid = Grid.every(Duration.ofSeconds(1));
                refuseFirst(pool, grid);
                refuse(contender, grid, 100);
                refuseManyAtOnce(contender, grid, 100);
                database.execute("checkpoint");
                String wal = wal(database);
                long ids = nextTransactionId(database);
                for (int i = 0; i < FIRST_ASKS; i++) {
                    refuseFirst(pool, grid);
                }
                refuse(contender, grid, REFUSALS / 2);
                refuseManyAtOnce(contender, grid, REFUSALS / 2 / THREADS);
                assertThat(nextTransactionId(database)).isEqualTo(ids);
                assertThat(wal(database)).isEqualTo(wal);
            }
        }
    }

    /** By an instance that has not met the names before, as one that lives for a moment has met none. */
    private static void refuseFirst(DataSource dataSource, Grid grid) {
        try (var newcomer = Leases.on(dataSource).schema(SchemaMode.VALIDATE).build()) {
            refuse(newcomer, grid, 1);
        }
    }

    private static void refuse(Leases contender, Grid grid, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(contender.tryAcquire("plain").lease()).isEmpty();
            assertThat(contender.tryAcquireSlot("slot", grid).lease()).isEmpty();
        }
    }

    /** In batches, therefore. */
    private static void refuseManyAtOnce(Leases contender, Grid grid, int times) throws Exception {
        var threads = Executors.newFixedThreadPool(THREADS);
        try {
            var all = new ArrayList<Future<?>>();
            for (int i = 0; i < THREADS; i++) {
                String own = "-" + i;
                all.add(threads.submit(() -> {
                    for (int j = 0; j < times; j++) {
                        assertThat(contender.tryAcquire("plain" + own).lease()).isEmpty();
                        assertThat(contender.tryAcquireSlot("slot" + own, grid).lease())
                                .isEmpty();
                    }
                }));
            }
            for (var one : all) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static String wal(TestDatabase database) throws SQLException {
        return String.valueOf(database.queryForString("select pg_current_wal_insert_lsn()"));
    }

    private static long nextTransactionId(TestDatabase database) throws SQLException {
        return database.queryForLong("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint");
    }
}
