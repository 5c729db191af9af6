package dev.leasehold.watch.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.watch.running.RunningInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class TogetherTest {

    @Test
    void threeInstancesStartAtOnceOnAnEmptyDatabaseAndTheMigrationLockIsGoneWhenTheyAreReady() throws Exception {
        TestDatabase database = TestPostgres.freshDatabase();
        ExecutorService starters = Executors.newFixedThreadPool(3);
        List<RunningInstance> instances = new ArrayList<>();
        try {
            Callable<RunningInstance> start = () -> RunningInstance.on(database);
            for (Future<RunningInstance> started : starters.invokeAll(List.of(start, start, start))) {
                instances.add(started.get());
            }
            for (RunningInstance instance : instances) {
                assertThat(instance.answered("/health/ready").statusCode()).isEqualTo(200);
            }
            assertThat(database.queryForLong("""
                            select count(*)
                              from pg_locks
                             where locktype = 'advisory'
                               and database = (select oid from pg_database where datname = current_database())
                            """)).isZero();
            assertThat(database.queryForLong("select count(*) from flyway_schema_history where not success"))
                    .isZero();
        } finally {
            instances.forEach(RunningInstance::close);
            starters.shutdownNow();
        }
    }

    @Test
    void databaseThatHoldsALeaseTableAlreadyIsTakenAsItIs() throws Exception {
        TestDatabase database = TestPostgres.freshDatabase();
        database.execute("""
                create table leases (
                  name text primary key,
                  holder text not null,
                  taken_at timestamptz not null default now(),
                  expires_at timestamptz not null)
                """);
        try (RunningInstance instance = RunningInstance.on(database)) {
            assertThat(instance.answered("/").statusCode()).isEqualTo(200);
        }
    }
}
