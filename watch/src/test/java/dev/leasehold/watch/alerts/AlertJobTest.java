package dev.leasehold.watch.alerts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.leasehold.watch.testing.Hook;
import dev.leasehold.watch.testing.MigratedDatabase;
import dev.leasehold.watch.testing.RawServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AlertJobTest {

    private final MigratedDatabase database = new MigratedDatabase();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(Delivery.class);
    private Hook hook;

    @BeforeEach
    void start() throws IOException {
        hook = new Hook();
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(logged);
        hook.close();
        database.close();
    }

    /** As a process that has just started would do it. */
    private AlertJob newJob(@Nullable String webhook) {
        return AlertConfiguration.job(
                new AlertProperties(
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(40),
                        webhook == null ? null : URI.create(webhook),
                        Duration.ofSeconds(1),
                        32,
                        Duration.ofSeconds(30),
                        Duration.ofHours(1)),
                database.jdbc(),
                database.transactions());
    }

    private void evaluate() throws InterruptedException {
        newJob(hook.url()).run(() -> true);
    }

    private long monitor(String name) {
        return database.addMonitor(name, "http://" + name + ".example/", Duration.ofSeconds(5));
    }

    private void setWebhook(long monitor, String url) {
        database.aside()
                .sql("update monitor set webhook_url = :url where id = :id")
                .param("url", url)
                .param("id", monitor)
                .update();
    }

    /** A result of the newest slot, as of so many seconds ago. */
    private void saw(long monitor, String node, String outcome, int secondsAgo) {
        database.aside()
                .sql("""
                        insert into check_result (monitor_id, node, slot, outcome, duration_ms, detail, checked_at)
                        values (:monitor, :node, clock_timestamp() - make_interval(secs => :ago), :outcome, 1, :detail,
                                clock_timestamp() - make_interval(secs => :ago))
                        """)
                .param("monitor", monitor)
                .param("node", node)
                .param("outcome", outcome)
                .param("ago", secondsAgo)
                .param("detail", "it was " + outcome)
                .update();
    }

    private void saw(long monitor, String outcome) {
        saw(monitor, "node-a", outcome, 0);
    }

    private List<String> transitions() {
        return rows("select coalesce(from_state, '-') || '>' || to_state || ' ' || seq from transition"
                + " order by monitor_id, seq");
    }

    private List<String> rows(String sql) {
        return database.aside().sql(sql).query(String.class).list();
    }

    private void letTimePass() {
        database.aside()
                .sql("update outbox set next_attempt_at = now() where delivered_at is null")
                .update();
    }

    private List<String> lines() {
        return logged.list.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    @Test
    void changeIsRecordedOnceAndTold() throws Exception {
        long id = monitor("shop");
        saw(id, "up");
        evaluate();
        saw(id, "down");
        evaluate();

        assertThat(transitions()).containsExactly("->up 1", "up>down 2");
        assertThat(rows("select state || ' ' || seq from monitor_state")).containsExactly("down 2");
        assertThat(hook.got()).hasSize(1);
        Hook.Got got = hook.got().get(0);
        assertThat(got.method() + " " + got.contentType()).isEqualTo("POST application/json");
        JsonNode body = JsonMapper.builder().build().readTree(got.body());
        assertThat(body.get("key").asString()).isEqualTo(id + "/2").isEqualTo(got.key());
        assertThat(body.get("monitor").asString()).isEqualTo("shop");
        assertThat(body.get("url").asString()).isEqualTo("http://shop.example/");
        assertThat(body.get("from").asString()).isEqualTo("up");
        assertThat(body.get("to").asString()).isEqualTo("down");
        assertThat(body.get("seq").asLong()).isEqualTo(2);
        assertThat(body.get("detail").asString()).isEqualTo("node-a: it was down");
        assertThat(body.get("occurred_at").asString())
                .isEqualTo(database.aside()
                        .sql("select occurred_at from transition where seq = 2")
                        .query((row, n) -> row.getTimestamp(1).toInstant().toString())
                        .single());
        assertThat(lines()).singleElement().asString().startsWith("WARN monitor shop is down since ");
    }

    @Test
    void firstUpIsNotToldAndItsReturnIs() throws Exception {
        long id = monitor("shop");
        for (String outcome : List.of("up", "down", "up")) {
            saw(id, outcome);
            evaluate();
        }

        assertThat(transitions()).containsExactly("->up 1", "up>down 2", "down>up 3");
        assertThat(hook.keys()).containsExactly(id + "/2", id + "/3");
        assertThat(lines()).hasSize(2);
        assertThat(lines().get(1)).startsWith("INFO monitor shop is up again since ");
    }

    @Test
    void firstDownIsTold() throws Exception {
        long id = monitor("shop");
        saw(id, "down");
        evaluate();

        assertThat(transitions()).containsExactly("->down 1");
        assertThat(hook.keys()).containsExactly(id + "/1");
        assertThat(JsonMapper.builder()
                        .build()
                        .readTree(hook.got().get(0).body())
                        .get("from")
                        .isNull())
                .isTrue();
    }

    @Test
    void restartsSendNothingThatWasDelivered() throws Exception {
        long down = monitor("down");
        long back = monitor("back");
        saw(down, "down");
        saw(back, "down");
        evaluate();
        saw(back, "up");
        evaluate();
        int told = hook.got().size();
        logged.list.clear();

        for (int restart = 0; restart < 3; restart++) {
            saw(down, "down");
            saw(back, "up");
            letTimePass();
            evaluate();
        }

        assertThat(told).isEqualTo(3);
        assertThat(hook.got()).hasSize(told);
        assertThat(lines()).isEmpty();
        assertThat(transitions()).hasSize(3);
    }

    @Test
    void onlyFreshResultsCountAndOfThoseTheNewestOfEachNode() throws Exception {
        long id = monitor("shop");
        saw(id, "node-a", "up", 0);
        evaluate();
        database.aside().sql("delete from check_result").update();

        saw(id, "node-a", "down", 45);
        evaluate();
        assertThat(transitions()).containsExactly("->up 1");

        saw(id, "node-a", "up", 30);
        saw(id, "node-a", "down", 5);
        saw(id, "node-b", "up", 50);
        evaluate();
        assertThat(transitions()).containsExactly("->up 1", "up>down 2");
    }

    @Test
    void unknownResultsChangeNothing() throws Exception {
        long id = monitor("shop");
        saw(id, "up");
        evaluate();
        saw(id, "unknown");
        evaluate();
        long other = monitor("other");
        saw(other, "unknown");
        evaluate();

        assertThat(transitions()).containsExactly("->up 1");
    }

    @Test
    void withoutAnyWebhookOnlyTheLogIsTold() throws Exception {
        saw(monitor("shop"), "down");
        newJob(null).run(() -> true);

        assertThat(rows("select channel from outbox where delivered_at is not null"))
                .containsExactly("log");
        assertThat(lines()).hasSize(1);
    }

    @Test
    void monitorsOwnWebhookGoesBeforeTheCommonOne() throws Exception {
        try (var own = new Hook()) {
            long id = monitor("shop");
            setWebhook(id, own.url());
            saw(id, "down");
            evaluate();

            assertThat(own.keys()).containsExactly(id + "/1");
            assertThat(hook.got()).isEmpty();
        }
    }

    @Test
    void failedDeliveryIsKeptCountedAndRepeatedLaterWithTheSameKey() throws Exception {
        long id = monitor("shop");
        hook.answer(500);
        saw(id, "down");
        evaluate();
        evaluate();

        assertThat(hook.keys()).containsExactly(id + "/1");
        assertThat(rows("select attempts || ' ' || last_error || ' '"
                        + " || (next_attempt_at between now() + interval '20 s' and now() + interval '30 s')"
                        + " from outbox where channel = 'webhook' and delivered_at is null"))
                .containsExactly("1 answered 500 true");

        letTimePass();
        evaluate();
        assertThat(rows("select attempts || ' ' || (next_attempt_at > now() + interval '50 s') from outbox"
                        + " where channel = 'webhook'"))
                .containsExactly("2 true");

        hook.answer(200);
        letTimePass();
        evaluate();
        letTimePass();
        evaluate();
        assertThat(hook.keys()).containsExactly(id + "/1", id + "/1", id + "/1");
        assertThat(rows("select channel from outbox where delivered_at is null"))
                .isEmpty();
    }

    @Test
    void laterTransitionWaitsForTheOneBeforeIt() throws Exception {
        long id = monitor("shop");
        hook.answer(503);
        saw(id, "down");
        evaluate();
        saw(id, "up");
        evaluate();
        assertThat(hook.keys()).containsExactly(id + "/1");

        hook.answer(200);
        letTimePass();
        evaluate();

        assertThat(hook.keys()).containsExactly(id + "/1", id + "/1", id + "/2");
    }

    @Test
    void webhooksThatHangHoldNoConnectionAndHoldUpNobodyForLong() throws Exception {
        try (var silent = new RawServer(RawServer.silent())) {
            for (int i = 0; i < 10; i++) {
                long hanging = monitor("hanging" + i);
                setWebhook(hanging, silent.url());
                saw(hanging, "down");
            }
            long fine = monitor("fine");
            saw(fine, "down");
            long start = System.nanoTime();

            CompletableFuture<Void> round = inTheBackground();
            await().atMost(Duration.ofSeconds(10)).until(() -> silent.connections() == 10);
            await().atMost(Duration.ofSeconds(10)).until(() -> hook.keys().equals(List.of(fine + "/1")));
            assertThat(round).isNotDone();
            assertThat(database.poolIsBusy()).isFalse();
            round.get(20, TimeUnit.SECONDS);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(6));
            assertThat(
                            rows(
                                    "select distinct last_error from outbox where channel = 'webhook' and delivered_at is null"))
                    .containsExactly("no answer in time");
        }
    }

    private CompletableFuture<Void> inTheBackground() {
        AlertJob job = newJob(hook.url());
        return CompletableFuture.runAsync(() -> {
            try {
                job.run(() -> true);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void webhookThatSaysYesAndNeverEndsItsBodyHasTakenIt() throws Exception {
        try (var endless =
                new RawServer(RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nthanks"))) {
            long id = monitor("shop");
            setWebhook(id, endless.url());
            saw(id, "down");
            evaluate();

            assertThat(rows("select channel from outbox where delivered_at is null"))
                    .isEmpty();
        }
    }

    @Test
    void unusableWebhookIsAFailedDeliveryLikeAnyOther() throws Exception {
        long id = monitor("shop");
        setWebhook(id, "no url at all");
        saw(id, "down");
        evaluate();

        assertThat(rows("select last_error from outbox where channel = 'webhook'"))
                .singleElement()
                .asString()
                .startsWith("not a URL that can be posted to");
    }

    @Test
    void evaluationsAtTheSameMomentMakeOneTransitionAndOneDelivery() throws Exception {
        int rounds = 12;
        List<String> expected = new ArrayList<>();
        long id = monitor("shop");
        for (int round = 1; round <= rounds; round++) {
            saw(id, round % 2 == 1 ? "down" : "up");
            var together = new CyclicBarrier(3);
            List<CompletableFuture<Void>> running = new ArrayList<>();
            for (int instance = 0; instance < 3; instance++) {
                AlertJob job = newJob(hook.url());
                running.add(CompletableFuture.runAsync(() -> {
                    try {
                        together.await(10, TimeUnit.SECONDS);
                        job.run(() -> true);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }));
            }
            for (CompletableFuture<Void> instance : running) {
                instance.get(30, TimeUnit.SECONDS);
            }
            evaluate();
            expected.add(id + "/" + round);
        }

        assertThat(hook.keys()).containsExactlyElementsOf(expected);
        assertThat(transitions()).hasSize(rounds);
    }

    @Test
    void nothingIsRecordedOrSentOnceTheLeaseIsNoLongerHeld() throws Exception {
        saw(monitor("shop"), "down");
        newJob(hook.url()).run(() -> false);

        assertThat(transitions()).isEmpty();
        assertThat(hook.got()).isEmpty();
    }
}
