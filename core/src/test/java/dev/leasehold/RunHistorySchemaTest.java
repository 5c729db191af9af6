package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How the table of the run history comes to be, and when it is refused. */
class RunHistorySchemaTest {

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Leases leases = Leases.on(database.dataSource()).build();

    @AfterEach
    void close() {
        leases.close();
    }

    private List<RecordedRun> written(Leases some, RunHistory history) {
        Lease lease = some.tryAcquire("sweep").lease().orElseThrow();
        history.began(lease, "sweep", "node-a");
        lease.release();
        return history.runs("sweep", 10);
    }

    @Test
    void twentyInstancesThatStartAtOnceAllFindATableWithItsIndexes() throws Exception {
        int instances = 20;
        var executor = Executors.newFixedThreadPool(instances);
        var barrier = new CyclicBarrier(instances);
        var started = new ArrayList<Future<Boolean>>();
        for (int i = 0; i < instances; i++) {
            started.add(executor.submit(() -> {
                try (var some = Leases.on(database.dataSource()).build()) {
                    barrier.await();
                    return some.runHistory().build().runs(1).isEmpty();
                }
            }));
        }
        for (var one : started) {
            assertThat(one.get()).isTrue();
        }
        executor.shutdownNow();
        assertThat(database.queryForLong("select count(*) from pg_index where indrelid = 'round_runs'::regclass"))
                .isEqualTo(3);
        assertThat(database.serverLog()).noneMatch(line -> line.contains("\"round_runs\" already exists"));
    }

    @Test
    void noDdlIsSentWhenNothingIsMissingSoThatAnOpenTransactionDelaysNobody() throws SQLException {
        leases.runHistory().build();
        try (var open = database.connect()) {
            open.setAutoCommit(false);
            open.createStatement().execute("lock table round_runs in share mode");
            long start = System.nanoTime();
            leases.runHistory().build();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            open.rollback();
        }
    }

    @Test
    void itLiesBesideTheLeaseTableUnlessItIsNamed() throws SQLException {
        database.execute("create schema \"Jobs\"");
        database.execute("create schema other");
        try (var some = Leases.on(database.dataSource()).table("Jobs.My Leases").build()) {
            assertThat(written(some, some.runHistory().build())).hasSize(1);
            assertThat(written(some, some.runHistory().table("other.a:b? c").build()))
                    .hasSize(1);
        }
        assertThat(database.queryForLong("select count(*) from \"Jobs\".round_runs"))
                .isEqualTo(1);
        assertThat(database.queryForLong("select count(*) from other.\"a:b? c\""))
                .isEqualTo(1);
    }

    @Test
    void validateNamesWhatIsMissingAndNoneDoesNotLook() throws SQLException {
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(
                        () -> leases.runHistory().schema(SchemaMode.VALIDATE).build())
                .withMessageContaining("the run history \"round_runs\" is not complete; it needs")
                .withMessageContaining("create table \"round_runs\"");
        leases.runHistory().schema(SchemaMode.NONE).build();
        assertThat(database.queryForString("select to_regclass('round_runs')")).isNull();
        leases.runHistory().build();
        leases.runHistory().schema(SchemaMode.VALIDATE).build();
    }

    @Test
    void whatLeasesDoAboutTheirTableHoldsForTheHistoryToo() {
        try (var none =
                Leases.on(database.dataSource()).schema(SchemaMode.VALIDATE).build()) {
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> none.runHistory().build());
        }
    }

    @Test
    void aTableOfAnotherKindOrWithAnotherKeyIsRefused() throws SQLException {
        database.execute("create table round_runs (lease text, id int)");
        assertThatExceptionOfType(LeaseException.class)
                .isThrownBy(() -> leases.runHistory().build())
                .withMessageContaining("is not a run history")
                .withMessageContaining("fence");
        for (String key : List.of("", ", unique (lease)", ", unique (lease, fence, round)")) {
            database.execute("drop table round_runs");
            database.execute(
                    "create table round_runs (lease text, fence bigint, round text, node text, slot timestamptz,"
                            + " extra boolean, holder text, started_at timestamptz, ended_at timestamptz, outcome text,"
                            + " counted boolean, error text" + key + ")");
            assertThatExceptionOfType(LeaseException.class)
                    .isThrownBy(() -> leases.runHistory().build())
                    .withMessageContaining("neither a primary key nor a unique constraint on lease, fence");
        }
        database.execute("alter table round_runs add unique (fence, lease)");
        assertThat(written(leases, leases.runHistory().build())).hasSize(1);
    }
}
