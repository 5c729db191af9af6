package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.internal.TableName;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Renewals whose statement the server has prepared, and planned, when the table was small. */
class RenewalPlansTest {

    private static final int MANY = 4_000;
    /** Prepared at the fifth use, and then planned five times for the values at hand before a plan is kept. */
    private static final int ENOUGH_FOR_A_PLAN_THAT_IS_KEPT = 14;

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Lane lane = new Lane("plans", 1);

    @AfterEach
    void close() {
        lane.close();
    }

    private void insert(int first, int last) throws SQLException {
        database.execute("""
                insert into leases (name, holder, expires_at, fence)
                select 'lease ' || i, 'holder ' || i, now() + interval '1 hour', i
                  from generate_series(%d, %d) i
                """.formatted(first, last));
    }

    private static Map<LeaseKey, Duration> keys(int count) {
        var ttls = new LinkedHashMap<LeaseKey, Duration>();
        IntStream.rangeClosed(1, count)
                .forEach(i -> ttls.put(new LeaseKey("lease " + i, "holder " + i, i), Duration.ofMinutes(2)));
        return ttls;
    }

    @Test
    void aPlanThatWasKeptForOneLeaseIsNotUsedForThousands() throws Exception {
        Leases.on(database.dataSource()).build().close();
        database.execute("alter table leases set (autovacuum_enabled = off)"); // it comes when it likes
        insert(1, 1);
        database.execute("vacuum analyze leases");
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(1);
        try (var pool = new HikariDataSource(config)) {
            var table = new LeaseTable(new Statements(pool), TableName.of(LeasesBuilder.DEFAULT_TABLE));
            for (int i = 0; i < ENOUGH_FOR_A_PLAN_THAT_IS_KEPT; i++) {
                assertThat(table.renew(lane, keys(1), Map.of(), BOUND)).hasSize(1);
            }
            assertThat(hasKeptPlan(pool)).isTrue();
            insert(2, MANY);
            long renewed = quickest(() ->
                    assertThat(table.renew(lane, keys(MANY), Map.of(), BOUND)).hasSize(MANY));
            database.execute("analyze leases"); // after which plans are made anew
            long renewedAnew = quickest(() ->
                    assertThat(table.renew(lane, keys(MANY), Map.of(), BOUND)).hasSize(MANY));
            System.out.printf("renewed in %d us, by a new plan %d us%n", renewed / 1000, renewedAnew / 1000);
            assertThat((double) renewed / renewedAnew).isLessThan(20);
        }
    }

    private interface Step {
        void run() throws SQLException;
    }

    private static long quickest(Step step) throws SQLException {
        long quickest = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            long start = System.nanoTime();
            step.run();
            quickest = Math.min(quickest, System.nanoTime() - start);
        }
        return quickest;
    }

    private static boolean hasKeptPlan(HikariDataSource pool) throws SQLException {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(
                        "select 1 from pg_prepared_statements where generic_plans > 0 and statement like '%leases%'")) {
            return rows.next();
        }
    }
}
