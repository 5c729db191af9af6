package dev.leasehold.watch.uptime;

import dev.leasehold.watch.jobs.NamedDaemons;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One round: asks every monitor, several at a time, and writes what is done about once a second, so that a slow target
 * does not hold back what is known of the others.
 */
final class UptimeJob {

    private static final Logger log = LoggerFactory.getLogger(UptimeJob.class);
    private static final Duration WRITE_EVERY = Duration.ofSeconds(1);

    private final String node;
    private final int parallelism;
    private final UptimeStore store;
    private final HttpCheck check;

    UptimeJob(String node, int parallelism, UptimeStore store, HttpCheck check) {
        this.node = node;
        this.parallelism = parallelism;
        this.store = store;
        this.check = check;
    }

    /** Returns when every check has ended; each ends by its own deadline. Interrupted, it drops what is not written. */
    void run(Instant slot) throws InterruptedException {
        List<Monitor> monitors = store.monitors();
        if (monitors.isEmpty()) {
            return;
        }
        ExecutorService workers =
                Executors.newFixedThreadPool(Math.min(parallelism, monitors.size()), new NamedDaemons("uptime-check"));
        try {
            var checks = new ExecutorCompletionService<CheckResult>(workers);
            monitors.forEach(monitor -> checks.submit(() -> check.check(monitor)));
            collect(checks, monitors.size(), slot);
        } finally {
            workers.shutdownNow();
        }
    }

    private void collect(CompletionService<CheckResult> checks, int expected, Instant slot)
            throws InterruptedException {
        List<CheckResult> unwritten = new ArrayList<>();
        Deadline write = Deadline.in(WRITE_EVERY);
        for (int missing = expected; missing > 0; ) {
            Future<CheckResult> done = checks.poll(write.remainingNanos(), TimeUnit.NANOSECONDS);
            if (done != null) {
                missing--;
                keep(done, unwritten);
            }
            if (missing == 0 || write.remainingNanos() == 0) {
                if (!unwritten.isEmpty()) {
                    store.save(node, slot, unwritten);
                    unwritten.clear();
                }
                write = Deadline.in(WRITE_EVERY);
            }
        }
    }

    private static void keep(Future<CheckResult> done, List<CheckResult> unwritten) throws InterruptedException {
        try {
            unwritten.add(done.get());
        } catch (ExecutionException e) {
            log.warn("an uptime check failed by itself, its monitor has no result in this slot", e.getCause());
        }
    }
}
