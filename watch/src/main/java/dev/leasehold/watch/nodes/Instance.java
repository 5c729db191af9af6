package dev.leasehold.watch.nodes;

import java.time.Duration;
import java.time.Instant;

/**
 * One row of the instances, as it stood at one moment.
 *
 * @param sinceBeat by the database's clock
 * @param living whether the last beat is recent enough
 */
public record Instance(
        String id,
        String node,
        long pid,
        String url,
        Instant startedAt,
        Instant beatAt,
        Duration sinceBeat,
        boolean living) {

    /** Whether the holder of a lease, which begins with host name and process id too, is of this process. */
    public boolean isProcessOf(String holder) {
        return process(id).equals(process(holder));
    }

    private static String process(String hostPidAndRandom) {
        return hostPidAndRandom.substring(0, Math.max(0, hostPidAndRandom.lastIndexOf(':')));
    }
}
