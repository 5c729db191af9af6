package dev.leasehold.benchmarks.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.harness.Crew;
import dev.leasehold.benchmarks.harness.Median;
import dev.leasehold.benchmarks.harness.MeteredDataSource;
import dev.leasehold.benchmarks.harness.MeteredDataSource.Execution;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * Our leases, held for a few renewal periods while nothing else happens, so that every statement is a renewal.
 *
 * @param held what was held; the rows are left as they were
 * @param millis what the statements of a period take
 * @param statements how many there are
 */
record KeptLeases(List<Lease> held, double millis, double statements) {

    private static final int TTL_IN_PERIODS = 20;
    private static final int PERIODS_BEFORE = 2;

    static KeptLeases watch(Bench bench, List<String> names) throws Exception {
        Duration every = bench.sizes().renewEvery();
        try (HikariDataSource pool = bench.pool()) {
            var metered = new MeteredDataSource(pool);
            try (Leases leases = Leases.on(metered)
                    .ttl(every.multipliedBy(TTL_IN_PERIODS))
                    .renewEvery(every)
                    .build()) {
                var held = acquireAll(leases, names);
                bench.settle();
                TimeUnit.NANOSECONDS.sleep(every.multipliedBy(PERIODS_BEFORE).toNanos());
                List<Execution> renewals =
                        renewals(metered, every, bench.sizes().periods());
                if (!held.stream().allMatch(Lease::isHeld)) {
                    throw new IllegalStateException("not all leases are still held");
                }
                return of(held, renewals, every);
            }
        }
    }

    private static List<Lease> acquireAll(Leases leases, List<String> names) throws Exception {
        var held = new ConcurrentLinkedQueue<Lease>();
        try (var crew = new Crew(Bench.MANY_THREADS)) {
            crew.workTurns((names.size() + Bench.MANY_THREADS - 1) / Bench.MANY_THREADS, (thread, turn) -> {
                int index = turn * Bench.MANY_THREADS + thread;
                if (index < names.size()) {
                    held.add(leases.tryAcquire(names.get(index)).lease().orElseThrow());
                }
            });
        }
        return List.copyOf(held);
    }

    private static List<Execution> renewals(MeteredDataSource metered, Duration every, int periods)
            throws InterruptedException {
        metered.time();
        long began = System.nanoTime();
        long span = every.multipliedBy(periods).toNanos();
        while (metered.executions().size() < 2 || System.nanoTime() - began < span) {
            if (System.nanoTime() - began > span * 10) {
                throw new IllegalStateException("no renewals are to be seen");
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return metered.executions();
    }

    /** Counted from the first to the last, so that it doesn't matter where the watch began and ended. */
    private static KeptLeases of(List<Lease> held, List<Execution> renewals, Duration every) {
        double span =
                renewals.get(renewals.size() - 1).sentNanos() - renewals.get(0).sentNanos();
        double perPeriod = (renewals.size() - 1) / (span / every.toNanos());
        double each = Median.of(renewals.stream().map(one -> one.nanos() / 1e6).toList());
        return new KeptLeases(held, each * perPeriod, perPeriod);
    }
}
