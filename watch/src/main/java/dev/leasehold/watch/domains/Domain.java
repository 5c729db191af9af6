package dev.leasehold.watch.domains;

import java.time.Instant;

/**
 * A domain as it is stored.
 *
 * @param source {@code file} or {@code api}
 */
record Domain(long id, String name, String source, Instant createdAt) {}
