package dev.leasehold.watch.alerts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.watch.testing.RawServer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WebhookTest {

    private static Notification notification(String url) {
        Instant then = Instant.parse("2026-11-29T10:00:00Z");
        return new Notification(1, 1, "webhook", 1, "shop", "http://shop/", url, "up", "down", then, "");
    }

    private static void assertEachConnectionClosed(RawServer.Manners manners, Duration timeout, String error)
            throws Exception {
        var closed = new AtomicInteger();
        try (var hook = new RawServer(connection -> {
            try {
                manners.serve(connection);
            } finally {
                closed.incrementAndGet();
            }
        })) {
            for (int i = 0; i < 20; i++) {
                assertThat(new Webhook(timeout)
                                .post(notification(hook.url()))
                                .error()
                                .orElse(""))
                        .contains(error);
            }

            assertThat(hook.connections()).isPositive();
            await().atMost(Duration.ofSeconds(30)).until(() -> closed.get() == hook.connections());
        }
    }

    @Test
    void connectionIsClosedWhenItsAnswerCannotBeRead() throws Exception {
        assertEachConnectionClosed(
                RawServer.answering("220 mx.example ESMTP ready\r\n"), Duration.ofSeconds(20), "Exception");
    }

    @Test
    void connectionIsClosedWhenNoAnswerComesInTime() throws Exception {
        assertEachConnectionClosed(RawServer.silent(), Duration.ofMillis(100), "no answer in time");
    }

    @Test
    void connectionIsClosedWhenNobodyWaitsForTheAnswer() throws Exception {
        var closed = new CountDownLatch(1);
        try (var hook = new RawServer(connection -> {
            RawServer.silent().serve(connection);
            closed.countDown();
        })) {
            new Webhook(Duration.ofSeconds(2)).post(notification(hook.url()));

            assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
