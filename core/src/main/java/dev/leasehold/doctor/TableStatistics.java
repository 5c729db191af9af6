package dev.leasehold.doctor;

import java.time.Duration;
import java.util.Optional;

/**
 * What PostgreSQL has counted of a table, and how that is configured.
 *
 * @param bytes of the table alone
 * @param indexBytes of all its indexes
 * @param liveRows about how many
 * @param updates since the statistics began
 * @param hotUpdates those of them that left the indexes alone
 * @param vacuumed how long ago; empty if never
 * @param fillfactor in percent
 * @param hasAutovacuum unless it is off for the table
 * @param hasKey whether its names are unique
 */
record TableStatistics(
        long bytes,
        long indexBytes,
        long liveRows,
        long deadRows,
        long updates,
        long hotUpdates,
        Optional<Duration> vacuumed,
        int fillfactor,
        boolean hasAutovacuum,
        boolean hasKey) {}
