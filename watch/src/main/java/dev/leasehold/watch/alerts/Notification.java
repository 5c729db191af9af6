package dev.leasehold.watch.alerts;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A transition to be told on one channel, claimed by this process for a while.
 *
 * @param attempt which attempt this is, from 1
 * @param webhookUrl where to, null if none is set
 */
record Notification(
        long monitorId,
        long seq,
        String channel,
        int attempt,
        String monitor,
        String url,
        @Nullable String webhookUrl,
        @Nullable String from,
        String to,
        Instant occurredAt,
        String detail) {

    /** The same for each delivery of the same transition. */
    String key() {
        return monitorId + "/" + seq;
    }
}
