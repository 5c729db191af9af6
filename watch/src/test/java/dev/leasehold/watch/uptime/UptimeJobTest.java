package dev.leasehold.watch.uptime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.watch.testing.MigratedDatabase;
import dev.leasehold.watch.testing.RawServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UptimeJobTest {

    private static final Instant SLOT = Instant.parse("2026-11-29T10:00:00Z");
    private static final String FINE = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String BROKEN = "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n";
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final MigratedDatabase database = new MigratedDatabase();
    private final HttpCheck check = new HttpCheck(100_000, Platform::ofThisNode, Dns::ofThisNode, Routes::ofThisNode);
    private RawServer fine;

    @BeforeEach
    void start() throws IOException {
        fine = new RawServer(RawServer.answering(FINE));
    }

    @AfterEach
    void stop() throws IOException {
        check.close();
        fine.close();
        database.close();
    }

    private UptimeJob job(String node) {
        return new UptimeJob(node, 8, new UptimeStore(database.jdbc()), check);
    }

    private CompletableFuture<Void> inTheBackground(UptimeJob job) {
        return CompletableFuture.runAsync(() -> {
            try {
                job.run(SLOT);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private List<String> results() {
        return database.aside().sql("""
                        select m.name || ' ' || r.node || ' ' || r.outcome || ' ' || coalesce(r.status_code, 0)
                        from check_result r
                        join monitor m on m.id = r.monitor_id
                        order by m.name, r.node, r.slot
                        """).query(String.class).list();
    }

    @Test
    void eachMonitorGetsOneResultUnderTheSlot() throws Exception {
        try (var broken = new RawServer(RawServer.answering(BROKEN))) {
            database.addMonitor("a", fine.url(), LONG);
            database.addMonitor("b", broken.url(), LONG);

            job("node-a").run(SLOT);

            assertThat(results()).containsExactly("a node-a up 200", "b node-a down 500");
            assertThat(database.aside()
                            .sql("select count(*) from check_result where slot = '2026-11-29T10:00:00Z'")
                            .query(Long.class)
                            .single())
                    .isEqualTo(2);
        }
    }

    @Test
    void secondRunOfASlotAddsNothingAndChangesNothing() throws Exception {
        long id = database.addMonitor("a", fine.url(), LONG);
        job("node-a").run(SLOT);
        try (var broken = new RawServer(RawServer.answering(BROKEN))) {
            database.aside()
                    .sql("update monitor set url = :url where id = :id")
                    .param("url", broken.url())
                    .param("id", id)
                    .update();

            job("node-a").run(SLOT);

            assertThat(results()).containsExactly("a node-a up 200");
        }
    }

    @Test
    void eachNodeAndEachSlotCountsForItself() throws Exception {
        database.addMonitor("a", fine.url(), LONG);

        job("node-a").run(SLOT);
        job("node-b").run(SLOT);
        job("node-a").run(SLOT.plusSeconds(10));

        assertThat(results()).containsExactly("a node-a up 200", "a node-a up 200", "a node-b up 200");
    }

    @Test
    void noMonitorsIsNoWork() throws Exception {
        job("node-a").run(SLOT);

        assertThat(database.count("check_result")).isZero();
    }

    @Test
    void slowTargetHoldsNoConnectionAndDoesNotHoldBackTheOthers() throws Exception {
        var end = new CountDownLatch(1);
        try (var slow = new RawServer(connection -> end.await())) {
            database.addMonitor("fast", fine.url(), MINUTE);
            database.addMonitor("slow", slow.url(), MINUTE);

            CompletableFuture<Void> round = inTheBackground(job("node-a"));

            await().atMost(LONG).untilAsserted(() -> assertThat(results()).containsExactly("fast node-a up 200"));
            await().atMost(LONG).until(() -> slow.connections() == 1);
            await().atMost(LONG).until(() -> !database.poolIsBusy());
            assertThat(round).isNotDone();
            end.countDown();
            round.get(60, TimeUnit.SECONDS);
            assertThat(results()).containsExactly("fast node-a up 200", "slow node-a down 0");
        }
    }

    @Test
    void targetsAreAskedAtTheSameTime() throws Exception {
        var end = new CountDownLatch(1);
        try (var slow = new RawServer(connection -> end.await())) {
            for (int i = 0; i < 8; i++) {
                database.addMonitor("m" + i, slow.url() + i, MINUTE);
            }

            CompletableFuture<Void> round = inTheBackground(job("node-a"));

            await().atMost(LONG).until(() -> slow.connections() == 8);
            end.countDown();
            round.get(60, TimeUnit.SECONDS);
            assertThat(database.count("check_result")).isEqualTo(8);
        }
    }

    @Test
    void monitorRemovedOrChangedWhileItWasAskedGetsNoResultAndCostsTheOthersNothing() throws Exception {
        database.addMonitor("kept", fine.url(), LONG);
        try (var target = new RawServer(connection -> {
            database.aside().sql("delete from monitor where name = 'removed'").update();
            database.aside()
                    .sql("update monitor set url = 'http://else.example/' where name = 'changed'")
                    .update();
            RawServer.answering(FINE).serve(connection);
        })) {
            database.addMonitor("removed", target.url() + "1", LONG);
            database.addMonitor("changed", target.url() + "2", LONG);

            job("node-a").run(SLOT);

            assertThat(results()).containsExactly("kept node-a up 200");
        }
    }

    @Test
    void interruptedRoundEndsAtOnce() throws Exception {
        try (var silent = new RawServer(RawServer.silent())) {
            database.addMonitor("slow", silent.url(), Duration.ofSeconds(60));
            var ended = new CompletableFuture<Throwable>();
            Thread round = new Thread(() -> {
                try {
                    job("node-a").run(SLOT);
                    ended.complete(new AssertionError("ran to its end"));
                } catch (InterruptedException e) {
                    ended.complete(e);
                }
            });
            round.start();
            await().atMost(LONG).until(() -> silent.connections() == 1);

            round.interrupt();

            assertThat(ended.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        }
    }
}
