package dev.leasehold.rounds;

import dev.leasehold.internal.SafeLog;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of skipped slots: at once when the reason is another one, else once a minute of all since, for a round that is always
 * overlong skips some in each run. Thread-safe.
 */
final class SkipLog {

    private static final Logger log = LoggerFactory.getLogger(Rounds.class);
    private static final Duration BETWEEN = Duration.ofMinutes(1);

    private final String leaseName;
    private @Nullable SkipReason told;
    private long toldNanos;
    private long untold;

    SkipLog(String leaseName) {
        this.leaseName = leaseName;
    }

    synchronized void tell(long slots, SkipReason reason) {
        long now = System.nanoTime();
        if (reason == told && now - toldNanos < BETWEEN.toNanos()) {
            untold += slots;
            return;
        }
        long all = reason == told ? untold + slots : slots;
        SafeLog.tell(() -> log.warn("round {} skips {}: {}", leaseName, all == 1 ? "1 slot" : all + " slots", reason));
        told = reason;
        toldNanos = now;
        untold = 0;
    }
}
