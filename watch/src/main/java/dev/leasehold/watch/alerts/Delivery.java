package dev.leasehold.watch.alerts;

import dev.leasehold.watch.jobs.OneLine;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers what the outbox holds, a batch at a time, all of a batch at once. A webhook that hangs costs its own batch
 * one deadline and nothing else; it comes later again, after the others. No connection is held while one is awaited.
 */
final class Delivery {

    private static final Logger log = LoggerFactory.getLogger(Delivery.class);
    private static final Duration CLAIM_MARGIN = Duration.ofSeconds(20);

    private final Outbox outbox;
    private final Webhook webhook;
    private final BackOff backOff;
    private final int atOnce;
    private final LongSupplier nanos;

    /** The clock {@code nanos} is a monotonic one. */
    Delivery(Outbox outbox, Webhook webhook, BackOff backOff, int atOnce, LongSupplier nanos) {
        this.outbox = outbox;
        this.webhook = webhook;
        this.backOff = backOff;
        this.atOnce = atOnce;
        this.nanos = nanos;
    }

    /** Ends when nothing is due, or after about two deadlines of a webhook: what is left is due in the next round. */
    void run(BooleanSupplier held) throws InterruptedException {
        long noNewBatchNanos = nanos.getAsLong() + webhook.timeout().toNanos();
        while (held.getAsBoolean()) {
            long claimEndsNanos = nanos.getAsLong() + CLAIM_MARGIN.toNanos();
            List<Notification> batch = outbox.claim(atOnce, webhook.timeout().plus(CLAIM_MARGIN));
            // A process that was frozen between the claim and here sends nothing: its claim may be another's by now.
            if (batch.isEmpty() || !held.getAsBoolean() || nanos.getAsLong() - claimEndsNanos > 0) {
                return;
            }
            deliver(batch);
            if (nanos.getAsLong() - noNewBatchNanos > 0) {
                return;
            }
        }
    }

    private void deliver(List<Notification> batch) throws InterruptedException {
        Map<Notification, Webhook.Post> posts = new LinkedHashMap<>();
        for (Notification notification : batch) {
            if (notification.channel().equals("webhook")) {
                posts.put(notification, webhook.post(notification));
            } else {
                tell(notification);
                outbox.delivered(notification);
            }
        }
        for (Map.Entry<Notification, Webhook.Post> post : posts.entrySet()) {
            settle(post.getKey(), post.getValue().error());
        }
    }

    private void settle(Notification notification, Optional<String> error) {
        if (error.isEmpty()) {
            outbox.delivered(notification);
            return;
        }
        Duration wait = backOff.after(notification.attempt());
        outbox.failed(notification, error.get(), wait);
        log.warn(
                "webhook of monitor {} did not take transition {} (attempt {}, next in {} s): {}",
                OneLine.of(notification.monitor()),
                notification.key(),
                notification.attempt(),
                wait.toSeconds(),
                error.get());
    }

    private static void tell(Notification notification) {
        boolean down = notification.to().equals("down");
        String text = OneLine.of("monitor " + notification.monitor() + (down ? " is down" : " is up again") + " since "
                + notification.occurredAt() + ", transition " + notification.key() + ", " + notification.url() + ": "
                + notification.detail());
        if (down) {
            log.warn("{}", text);
        } else {
            log.info("{}", text);
        }
    }
}
