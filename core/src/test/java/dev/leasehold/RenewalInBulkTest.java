package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.internal.TableName;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The statement that renews ten thousand leases. On a server of its own, which counts statements. */
class RenewalInBulkTest {

    private static final int MANY = 10_000;
    /** The driver prepares a statement on the server at its fifth use. */
    private static final int ENOUGH_TO_BE_PREPARED = 8;

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final TestServer SERVER = TestServer.start(
            Map.of("shared_preload_libraries", "pg_stat_statements", "autovacuum_naptime", "1s", "fsync", "off"));

    private final TestDatabase database = SERVER.freshDatabase();
    private final Lane lane = new Lane("bulk", 1);

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @AfterEach
    void close() {
        lane.close();
    }

    /** One connection, with the settings that the database has by now. */
    private HikariDataSource pool() {
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    private List<LeaseKey> held(int count) throws SQLException {
        Leases.on(database.dataSource()).build().close();
        database.execute("""
                insert into leases (name, holder, expires_at, fence)
                select 'lease ' || i, 'holder ' || i, now() + interval '1 hour', i
                  from generate_series(1, %d) i
                """.formatted(count));
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> new LeaseKey("lease " + i, "holder " + i, i))
                .toList();
    }

    private void renew(HikariDataSource pool, List<LeaseKey> all, int times) throws SQLException {
        var table = new LeaseTable(new Statements(pool), TableName.of(LeasesBuilder.DEFAULT_TABLE));
        var ttls = new LinkedHashMap<LeaseKey, Duration>();
        all.forEach(key -> ttls.put(key, Duration.ofMinutes(2)));
        for (int i = 0; i < times; i++) {
            assertThat(table.renew(lane, ttls, Map.of(), BOUND)).hasSameSizeAs(all);
        }
    }

    private void forcePlans(String mode) throws SQLException {
        database.execute("alter database " + database.name() + " set plan_cache_mode = " + mode);
    }

    @ParameterizedTest
    @ValueSource(strings = {"force_custom_plan", "force_generic_plan"})
    void tenThousandLeasesAreRenewedByOneStatementUnderEitherPlan(String plans) throws Exception {
        database.execute("create extension pg_stat_statements");
        forcePlans(plans);
        try (var pool = pool()) {
            var all = held(MANY);
            renew(pool, all, 1);
            database.execute("select pg_stat_statements_reset()");
            renew(pool, all, ENOUGH_TO_BE_PREPARED);
            assertThat(database.queryForString("""
                            select string_agg(calls || ' calls, ' || rows || ' rows', '; ')
                              from pg_stat_statements
                             where query like '%leases%'
                            """))
                    .isEqualTo(ENOUGH_TO_BE_PREPARED + " calls, " + ENOUGH_TO_BE_PREPARED * MANY + " rows");
            try (var connection = pool.getConnection();
                    var statement = connection.createStatement();
                    var rows = statement.executeQuery("""
                            select generic_plans > 0 as generic, custom_plans > 0 as custom
                              from pg_prepared_statements
                             where statement like '%skip locked%'
                            """)) {
                assertThat(rows.next()).as("prepared on the server").isTrue();
                assertThat(rows.getBoolean("generic")).isEqualTo(plans.equals("force_generic_plan"));
                assertThat(rows.getBoolean("custom")).isEqualTo(plans.equals("force_custom_plan"));
            }
        }
    }

    /** A quadratic one would need a hundred times as long for ten times as many. */
    @ParameterizedTest
    @ValueSource(strings = {"force_custom_plan", "force_generic_plan"})
    void theTimeOfARenewalGrowsInProportionToTheNumberOfLeases(String plans) throws Exception {
        forcePlans(plans);
        try (var pool = pool()) {
            var all = held(MANY);
            renew(pool, all, ENOUGH_TO_BE_PREPARED);
            long few = quickest(pool, all.subList(0, MANY / 10));
            long many = quickest(pool, all);
            System.out.printf("%s: 1,000 in %d us, 10,000 in %d us%n", plans, few / 1000, many / 1000);
            assertThat((double) many / few).isLessThan(40);
        }
    }

    private long quickest(HikariDataSource pool, List<LeaseKey> all) throws SQLException {
        long quickest = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            long start = System.nanoTime();
            renew(pool, all, 1);
            quickest = Math.min(quickest, System.nanoTime() - start);
        }
        return quickest;
    }

    /** Autovacuum, which comes when it likes, is carried out by hand. */
    @Test
    void renewalsStayHotAndDoSoAgainAfterATransactionThatHeldVacuumBack() throws Exception {
        try (var pool = pool()) {
            var all = held(MANY);
            database.execute("alter table leases set (autovacuum_enabled = off)");
            database.execute("vacuum analyze leases");
            double before = hotShare(pool, all, 10);
            assertThat(before).isGreaterThan(0.95);
            long size = size();
            double heldBack;
            try (var reader = database.connect()) {
                reader.setAutoCommit(false);
                reader.createStatement().execute("set transaction isolation level repeatable read");
                reader.createStatement().execute("select count(*) from leases");
                heldBack = hotShare(pool, all, 10);
                reader.rollback();
            }
            long grown = size();
            database.execute("vacuum leases");
            renew(pool, all, 3);
            double afterwards = hotShare(pool, all, 10);
            System.out.printf(
                    "hot while vacuum is held back: %.3f, afterwards: %.3f; %d kB, then %d kB, at last %d kB%n",
                    heldBack, afterwards, size / 1024, grown / 1024, size() / 1024);
            assertThat(heldBack)
                    .as("pages that are filled by half have room for every second version though none can be pruned")
                    .isGreaterThan(0.4);
            assertThat(afterwards).isGreaterThan(0.95);
            assertThat(size()).as("no more growth").isLessThanOrEqualTo(grown + grown / 10);
        }
    }

    private double hotShare(HikariDataSource pool, List<LeaseKey> all, int times) throws Exception {
        long updated = counter("n_tup_upd");
        long hot = counter("n_tup_hot_upd");
        renew(pool, all, times);
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("select pg_stat_force_next_flush()");
        }
        Await.until("counted", BOUND, () -> counter("n_tup_upd") >= updated + (long) times * MANY);
        return (double) (counter("n_tup_hot_upd") - hot) / (counter("n_tup_upd") - updated);
    }

    private long counter(String name) throws SQLException {
        return database.queryForLong("select " + name + " from pg_stat_user_tables where relname = 'leases'");
    }

    private long size() throws SQLException {
        return database.queryForLong("select pg_total_relation_size('leases')");
    }
}
