package dev.leasehold.watch.alerts;

import dev.leasehold.watch.jobs.OneLine;
import dev.leasehold.watch.values.HttpUrl;
import dev.leasehold.watch.values.InvalidValueException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Posts transitions as JSON, each with a total deadline. Delivered is what was answered with a 2xx; redirects are not
 * followed. Thread-safe.
 */
final class Webhook {

    private final JsonMapper json = JsonMapper.builder().build();
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
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
        HttpRequest request;
        try {
            request = request(HttpUrl.parse("webhook", url), notification);
        } catch (InvalidValueException | IllegalArgumentException e) {
            return () -> Optional.of("not a URL that can be posted to: " + schemeAndHost(url));
        }
        CompletableFuture<HttpResponse<InputStream>> answer = client.sendAsync(request, BodyHandlers.ofInputStream());
        return () -> error(answer, deadlineNanos);
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

    private HttpRequest request(URI url, Notification notification) {
        return HttpRequest.newBuilder(url)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", notification.key())
                .header("User-Agent", "leasehold-watch")
                .POST(BodyPublishers.ofString(body(notification)))
                .build();
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
    private static Optional<String> error(CompletableFuture<HttpResponse<InputStream>> answer, long deadlineNanos)
            throws InterruptedException {
        try {
            HttpResponse<InputStream> response =
                    answer.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            drop(response.body());
            int status = response.statusCode();
            return status >= 200 && status < 300 ? Optional.empty() : Optional.of("answered " + status);
        } catch (TimeoutException e) {
            return Optional.of("no answer in time");
        } catch (ExecutionException e) {
            return Optional.of(words(e.getCause() == null ? e : e.getCause()));
        } finally {
            answer.cancel(true);
        }
    }

    private static void drop(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            // it was not wanted anyway
        }
    }

    private static String words(Throwable failure) {
        String message = failure.getMessage();
        return failure.getClass().getSimpleName() + (message == null ? "" : ": " + OneLine.of(message));
    }
}
