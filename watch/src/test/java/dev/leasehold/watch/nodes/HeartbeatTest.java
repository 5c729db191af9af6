package dev.leasehold.watch.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.watch.running.RunningInstance;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class HeartbeatTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int TRIES = 5;
    private static final TestDatabase database = TestPostgres.freshDatabase();
    private static RunningInstance instance;

    @BeforeAll
    static void start() {
        instance = RunningInstance.on(database);
    }

    @AfterAll
    static void stop() {
        instance.close();
    }

    private static long rowsOf(String id) throws Exception {
        return database.queryForLong("select count(*) from instance where id = '" + id + "'");
    }

    /** A stop waits a moment only for the row to go, so the machine has a few moments. */
    @Test
    void rowIsThereSoonAfterTheStartAndGoneAfterAnOrderlyStop() throws Exception {
        long left = rowsThatAreLeft();
        for (int time = 2; time <= TRIES && left > 0; time++) {
            left = rowsThatAreLeft();
        }
        assertThat(left).isZero();
    }

    private static long rowsThatAreLeft() throws Exception {
        String id;
        try (RunningInstance other = RunningInstance.on(database, "watch.node=node-b")) {
            id = other.bean(ThisInstance.class).id();
            await().atMost(SOON).untilAsserted(() -> assertThat(rowsOf(id)).isEqualTo(1));
            assertThat(database.queryForString("select url from instance where id = '" + id + "'"))
                    .isEqualTo("http://127.0.0.1:" + other.port());
        }
        return rowsOf(id);
    }

    @Test
    void beatsSurviveATimeWithoutTheTable() throws Exception {
        TestDatabase own = TestPostgres.freshDatabase();
        try (RunningInstance other = RunningInstance.on(own)) {
            var heartbeat =
                    new Heartbeat(other.bean(Instances.class), other.bean(ThisInstance.class), Duration.ofMillis(50));
            heartbeat.start();
            try {
                own.execute("alter table instance rename to away");
                long failed = own.serverLog().stream()
                        .filter(line -> line.contains("\"instance\" does not exist"))
                        .count();
                await().atMost(SOON)
                        .until(() -> own.serverLog().stream()
                                        .filter(line -> line.contains("\"instance\" does not exist"))
                                        .count()
                                > failed + 1);
                own.execute("alter table away rename to instance");
                own.execute("update instance set beat_at = 'epoch'");

                await().atMost(SOON)
                        .untilAsserted(() -> assertThat(
                                        own.queryForLong("select count(*) from instance where beat_at > 'epoch'"))
                                .isEqualTo(1));
            } finally {
                heartbeat.stop();
            }
        }
    }

    /** What is gone is the sweep's. */
    @Test
    void beatLeavesTheRowsOfOthersAlone() throws Exception {
        TestDatabase own = TestPostgres.freshDatabase();
        try (RunningInstance other = RunningInstance.on(own)) {
            own.execute("""
                    insert into instance (id, node, pid, url, beat_at)
                    values ('h:3:a', 'node-y', 1, 'http://127.0.0.1:1', now() - interval '23 h')
                    """);
            var heartbeat =
                    new Heartbeat(other.bean(Instances.class), other.bean(ThisInstance.class), Duration.ofMillis(50));
            heartbeat.start();
            try {
                own.execute("update instance set beat_at = 'epoch' where node = 'node-a'");
                await().atMost(SOON)
                        .untilAsserted(() -> assertThat(own.queryForLong(
                                        "select count(*) from instance where node = 'node-a' and beat_at > 'epoch'"))
                                .isEqualTo(1));
                assertThat(own.queryForLong("select count(*) from instance where id = 'h:3:a'"))
                        .isEqualTo(1);
            } finally {
                heartbeat.stop();
            }
        }
    }

    @Test
    void instanceLivesWhileItsLastBeatIsYoungerThanFifteenSecondsByTheDatabasesClock() throws Exception {
        try {
            await().atMost(SOON).untilAsserted(() -> {
                database.execute("delete from instance where node = 'node-x'");
                database.execute("""
                        insert into instance (id, node, pid, url, beat_at)
                        values ('h:1:a', 'node-x', 1, 'http://127.0.0.1:1', now() - interval '13 s'),
                               ('h:2:b', 'node-x', 2, 'http://127.0.0.1:2', now() - interval '16 s')
                        """);
                var onNodeX = instance.bean(Instances.class).all().stream()
                        .filter(row -> row.node().equals("node-x"))
                        .toList();

                assertThat(onNodeX).extracting(Instance::id).containsExactly("h:1:a", "h:2:b");
                assertThat(onNodeX).extracting(Instance::living).containsExactly(true, false);
                assertThat(onNodeX.get(1).sinceBeat()).isBetween(Duration.ofSeconds(16), Duration.ofSeconds(30));
            });
        } finally {
            database.execute("delete from instance where node = 'node-x'");
        }
    }
}
