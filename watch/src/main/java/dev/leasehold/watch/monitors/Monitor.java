package dev.leasehold.watch.monitors;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A monitor as it is stored.
 *
 * @param source {@code file} or {@code api}
 */
record Monitor(
        long id,
        String name,
        URI url,
        Duration timeout,
        @Nullable URI webhook,
        String source,
        Instant createdAt) {}
