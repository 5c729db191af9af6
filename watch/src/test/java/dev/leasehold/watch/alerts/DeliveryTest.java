package dev.leasehold.watch.alerts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.watch.testing.Hook;
import dev.leasehold.watch.testing.RawServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeliveryTest extends AlertScene {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration HANGING = Duration.ofSeconds(4);

    private Delivery delivery(LongSupplier nanos) {
        return new Delivery(
                new Outbox(database.jdbc(), hook.url()),
                new Webhook(Duration.ofSeconds(20)),
                new BackOff(Duration.ofSeconds(30), Duration.ofHours(1)),
                32,
                nanos);
    }

    private long recordedDown() {
        long id = monitor("shop");
        new AlertStore(database.jdbc(), database.transactions(), true)
                .record(id, new Change(null, State.DOWN, 1, "", true));
        return id;
    }

    @Test
    void nothingIsClaimedOnceTheLeaseIsNoLongerHeld() throws Exception {
        recordedDown();

        delivery(System::nanoTime).run(() -> false);

        assertThat(rows("select distinct attempts::text from outbox")).containsExactly("0");
    }

    @Test
    void nothingIsSentOrToldWhenTheLeaseIsLostAfterTheClaim() throws Exception {
        recordedDown();
        var asked = new AtomicInteger();

        delivery(System::nanoTime).run(() -> asked.incrementAndGet() == 1);

        assertThat(rows("select attempts || ' ' || (delivered_at is null) from outbox"))
                .containsExactly("1 true", "1 true");
        assertThat(hook.got()).isEmpty();
        assertThat(lines()).isEmpty();
    }

    @Test
    void nothingIsSentOrToldByAProcessThatWasFrozenSinceItsClaim() throws Exception {
        recordedDown();
        var clock = new AtomicLong();

        delivery(clock::get).run(() -> {
            clock.addAndGet(Duration.ofSeconds(21).toNanos());
            return true;
        });

        assertThat(rows("select attempts || ' ' || (delivered_at is null) from outbox"))
                .containsExactly("1 true", "1 true");
        assertThat(hook.got()).isEmpty();
        assertThat(lines()).isEmpty();
    }

    @Test
    void pauseShorterThanTheMarginOfTheClaimStopsNothing() throws Exception {
        long id = recordedDown();
        var clock = new AtomicLong();

        delivery(clock::get).run(() -> {
            clock.addAndGet(Duration.ofSeconds(19).toNanos());
            return true;
        });

        assertThat(hook.keys()).containsExactly(id + "/1");
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

            CompletableFuture<Void> round = inTheBackground(HANGING);
            await().atMost(LIMIT).until(() -> silent.connections() == 10);
            await().atMost(LIMIT).until(() -> hook.keys().equals(List.of(fine + "/1")));
            await().atMost(LIMIT).until(() -> !database.poolIsBusy());
            assertThat(round).isNotDone();
            round.get(60, TimeUnit.SECONDS);

            // one after the other they would take ten times as long as one
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(HANGING.multipliedBy(6));
            assertThat(
                            rows(
                                    "select distinct last_error from outbox where channel = 'webhook' and delivered_at is null"))
                    .containsExactly("no answer in time");
        }
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

    @ParameterizedTest
    @CsvSource({
        "no url at all s3cret, (not shown)",
        "https://hooks.example:99999/s3cret, https://hooks.example",
        "https://hooks.example/s3cret^?x, (not shown)",
        "ftp://hooks.example/s3cret, ftp://hooks.example",
        "/s3cret, (not shown)",
        "https://user:s3cret@hooks.example/, https://hooks.example"
    })
    void unusableWebhookIsAFailedDeliveryThatShowsNoMoreThanItsHost(String url, String shown) throws Exception {
        long id = monitor("shop");
        setWebhook(id, url);
        saw(id, "down");
        evaluate();

        assertThat(rows("select last_error from outbox where channel = 'webhook'"))
                .containsExactly("not a URL that can be posted to: " + shown);
        assertThat(lines()).hasSize(2).noneMatch(line -> line.contains("s3cret"));
    }

    private CompletableFuture<Void> inTheBackground(Duration webhookTimeout) {
        AlertJob job = newJob(hook.url(), webhookTimeout);
        return CompletableFuture.runAsync(() -> {
            try {
                job.run(() -> true);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
