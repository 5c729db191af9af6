package dev.leasehold.watch.alerts;

import dev.leasehold.watch.http.Exchange;
import dev.leasehold.watch.jobs.NamedDaemons;
import dev.leasehold.watch.jobs.OneLine;
import dev.leasehold.watch.values.HttpUrl;
import dev.leasehold.watch.values.InvalidValueException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import tools.jackson.databind.json.JsonMapper;

/**
 * Posts transitions as JSON, each with a total deadline. Delivered is what was answered with a 2xx; redirects are not
 * followed. Thread-safe.
 */
final class Webhook {

    private final JsonMapper json = JsonMapper.builder().build();
    private final ExecutorService executor = Executors.newCachedThreadPool(new NamedDaemons("webhook"));
    private final Duration timeout;

    Webhook(Duration timeout) {
        this.timeout = timeout;
    }

    Duration timeout() {
        return timeout;
    }

    /** A request on its way. */
    interface Post {
        /** Waits for the answer till the deadline: empty once delivered, else what went wrong. */
        Optional<String> error() throws InterruptedException;
    }

    Post post(Notification notification) {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        String url = notification.webhookUrl();
        if (url == null) {
            return () -> Optional.of("no webhook is set any more");
        }
        HttpPost request;
        try {
            request = request(HttpUrl.parse("webhook", url), notification);
        } catch (InvalidValueException | IllegalArgumentException e) {
            return () -> Optional.of("not a URL that can be posted to: " + schemeAndHost(url));
        }
        var exchange = new Exchange();
        Future<Exchange.Answer> answer = executor.submit(() -> exchange.ask(request, 0));
        // Should nobody wait for it to the end, it is ended all the same; else it has been by then.
        CompletableFuture.delayedExecutor(timeout.toMillis() + 1000, TimeUnit.MILLISECONDS, executor)
                .execute(exchange::close);
        return () -> error(exchange, answer, deadlineNanos);
    }

    // The rest may be what entitles to post there, so it goes into no log and no table.
    private static String schemeAndHost(String url) {
        try {
            URI uri = new URI(url);
            return uri.getScheme() == null || uri.getHost() == null
                    ? "(not shown)"
                    : OneLine.of(uri.getScheme() + "://" + uri.getHost());
        } catch (URISyntaxException e) {
            return "(not shown)";
        }
    }

    private HttpPost request(URI url, Notification notification) {
        var request = new HttpPost(url);
        request.setHeader("Idempotency-Key", notification.key());
        request.setEntity(new ByteArrayEntity(
                body(notification).getBytes(StandardCharsets.UTF_8), ContentType.create("application/json")));
        return request;
    }

    private String body(Notification notification) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("key", notification.key());
        body.put("monitor", notification.monitor());
        body.put("url", notification.url());
        body.put("from", notification.from());
        body.put("to", notification.to());
        body.put("seq", notification.seq());
        body.put("occurred_at", notification.occurredAt().toString());
        body.put("detail", notification.detail());
        return json.writeValueAsString(body);
    }

    // The status is the answer: a body is dropped unread, whether it ends or not.
    private static Optional<String> error(Exchange exchange, Future<Exchange.Answer> answer, long deadlineNanos)
            throws InterruptedException {
        try (exchange) {
            int status = answer.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS)
                    .status();
            return status >= 200 && status < 300 ? Optional.empty() : Optional.of("answered " + status);
        } catch (TimeoutException e) {
            return Optional.of("no answer in time");
        } catch (ExecutionException e) {
            return Optional.of(words(e.getCause() == null ? e : e.getCause()));
        }
    }

    private static String words(Throwable failure) {
        String message = failure.getMessage();
        return failure.getClass().getSimpleName() + (message == null ? "" : ": " + OneLine.of(message));
    }
}
