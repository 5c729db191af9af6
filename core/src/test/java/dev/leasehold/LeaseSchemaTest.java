package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeaseSchemaTest {

    private static final String FOUR_COLUMNS = """
            create table leases (
              name text primary key,
              holder text not null,
              taken_at timestamptz not null default now(),
              expires_at timestamptz not null
            )
            """;

    private final TestDatabase database = TestPostgres.freshDatabase();

    @Test
    void twentyInstancesThatStartAtOnceAllFindATable() throws Exception {
        assertThat(rowsFoundByTwentyThatStartAtOnce()).containsOnly(0);
    }

    @Test
    void twentyInstancesThatUpgradeATableAtOnceAllFindItUpgraded() throws Exception {
        database.execute(FOUR_COLUMNS);
        database.execute("insert into leases values ('held', 'old', now(), now() + interval '1 hour')");
        assertThat(rowsFoundByTwentyThatStartAtOnce()).containsOnly(1);
        Leases.on(database.dataSource()).schema(SchemaMode.VALIDATE).build().close();
    }

    private List<Integer> rowsFoundByTwentyThatStartAtOnce() throws Exception {
        int instances = 20;
        int errorsBefore = errorsInTheLog();
        var executor = Executors.newFixedThreadPool(instances);
        var barrier = new CyclicBarrier(instances);
        var started = new ArrayList<Future<Integer>>();
        for (int i = 0; i < instances; i++) {
            started.add(executor.submit(() -> {
                barrier.await();
                try (var leases = Leases.on(database.dataSource()).build()) {
                    return leases.rows().size();
                }
            }));
        }
        var found = new ArrayList<Integer>();
        for (var one : started) {
            found.add(one.get());
        }
        executor.shutdownNow();
        assertThat(errorsInTheLog()).isEqualTo(errorsBefore);
        return found;
    }

    private int errorsInTheLog() {
        return (int) database.serverLog().stream()
                .filter(line -> line.contains("already exists"))
                .count();
    }

    @Test
    void anOldTableOfFourColumnsIsUpgradedInPlaceAndItsHoldersAreKept() throws SQLException {
        database.execute(FOUR_COLUMNS);
        database.execute("insert into leases values ('held', 'old', now(), now() + interval '1 hour')");
        database.execute("insert into leases values ('free', 'old', now(), now() - interval '1 hour')");
        try (var leases = Leases.on(database.dataSource()).build()) {
            assertThat(leases.tryAcquire("held").lease()).isEmpty();
            assertThat(leases.tryAcquire("free").lease()).isPresent();
        }
        assertThat(database.queryForString("select reloptions::text from pg_class where relname = 'leases'"))
                .isEqualTo("{fillfactor=50}");
    }

    @Test
    void noDdlIsSentWhenNothingIsMissingSoThatAnOpenTransactionDelaysNobody() throws SQLException {
        Leases.on(database.dataSource()).build().close();
        try (var open = database.connect()) {
            open.setAutoCommit(false);
            open.createStatement().execute("select * from leases for share");
            long start = System.nanoTime();
            Leases.on(database.dataSource()).build().close();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            open.rollback();
        }
    }

    @Test
    void anUpgradeWaitsForAnOpenTransactionInBriefTriesAndComesThroughWhenItEnds() throws Exception {
        database.execute(FOUR_COLUMNS);
        var executor = Executors.newSingleThreadExecutor();
        try (var open = database.connect()) {
            open.setAutoCommit(false);
            open.createStatement().execute("select * from leases for share");
            var upgrade = executor.submit(() -> {
                try (var leases = Leases.on(database.dataSource()).build()) {
                    return leases.rows().size();
                }
            });
            var waits = new HashSet<String>();
            Await.until("a second try waits", Duration.ofSeconds(60), () -> {
                waits.add("" + database.queryForString("""
                        select xact_start
                          from pg_stat_activity
                         where datname = current_database() and wait_event_type = 'Lock'
                        """));
                waits.remove("null");
                return waits.size() > 1;
            });
            open.rollback();
            assertThat(upgrade.get(60, TimeUnit.SECONDS)).isZero();
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void aTableInAnotherSchemaWithAMixedCaseNameIsUsedAsNamed() throws SQLException {
        database.execute("create schema \"Jobs\"");
        try (var leases =
                Leases.on(database.dataSource()).table("Jobs.My Leases").build()) {
            assertThat(leases.tryAcquire("sweep").lease()).isPresent();
        }
        assertThat(database.queryForString("select name from \"Jobs\".\"My Leases\""))
                .isEqualTo("sweep");
    }

    @Test
    void validateNamesWhatIsMissingAndChangesNothing() throws SQLException {
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> Leases.on(database.dataSource())
                        .schema(SchemaMode.VALIDATE)
                        .build())
                .withMessageContaining("create table");
        database.execute(FOUR_COLUMNS);
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> Leases.on(database.dataSource())
                        .schema(SchemaMode.VALIDATE)
                        .build())
                .withMessageContaining("done_slot");
        assertThat(database.queryForLong(
                        "select count(*) from pg_attribute where attrelid = 'leases'::regclass" + " and attnum > 0"))
                .isEqualTo(4);
    }

    @Test
    void aTableOfAnotherKindIsNotTouched() throws SQLException {
        database.execute("create table leases (id int)");
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> Leases.on(database.dataSource()).build())
                .withMessageContaining("is not a lease table")
                .withMessageContaining("expires_at");
    }

    @Test
    void aMissingTableIsNamedByTheFirstCallWhenNobodyLooked() {
        try (var leases =
                Leases.on(database.dataSource()).schema(SchemaMode.NONE).build()) {
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> leases.tryAcquire("sweep"))
                    .withMessageContaining("is the lease table created, and on the search_path?");
        }
    }

    @Test
    void aTableInWhichANameMayStandTwiceIsRefused() throws SQLException {
        database.execute(FOUR_COLUMNS.replace("primary key", "not null"));
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> Leases.on(database.dataSource()).build())
                .withMessageContaining("neither a primary key nor a unique constraint on name");
    }

    @Test
    void aTableWithASignThatSqlAlsoUsesIsUsedAsNamed() throws SQLException {
        try (var leases = Leases.on(database.dataSource()).table("jobs:leases?").build()) {
            assertThat(leases.tryAcquire("sweep").lease()).isPresent();
        }
        assertThat(database.queryForString("select name from \"jobs:leases?\"")).isEqualTo("sweep");
    }
}
