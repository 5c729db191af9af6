package dev.leasehold.benchmarks.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.harness.Crew;
import dev.leasehold.benchmarks.harness.Median;
import dev.leasehold.benchmarks.harness.MeteredDataSource;
import dev.leasehold.benchmarks.harness.MeteredDataSource.Execution;
import dev.leasehold.benchmarks.subject.Floor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * Our leases, held for a few renewal periods while nothing else happens, so that every statement is a renewal.
 *
 * @param millis what the statements of a period take
 * @param statements how many there are
 * @param floorMillis what a bare UPDATE of as many rows took after each
 */
record KeptLeases(double millis, double statements, List<Double> floorMillis) {

    private static final int TTL_IN_PERIODS = 20;
    private static final int PERIODS_BEFORE = 2;

    static KeptLeases measure(Bench bench, String planCacheMode, List<String> names, Floor floor) throws Exception {
        Duration every = bench.sizes().renewEvery();
        bench.server().empty("leases");
        try (HikariDataSource pool = bench.pool("-c plan_cache_mode=" + planCacheMode)) {
            var metered = new MeteredDataSource(pool);
            try (Leases leases = Leases.on(metered)
                    .ttl(every.multipliedBy(TTL_IN_PERIODS))
                    .renewEvery(every)
                    .build()) {
                var held = acquireAll(leases, names);
                bench.settle();
                TimeUnit.NANOSECONDS.sleep(every.multipliedBy(PERIODS_BEFORE).toNanos());
                KeptLeases kept = watched(metered, every, bench.sizes().periods(), names, floor);
                if (!held.stream().allMatch(Lease::isHeld)) {
                    throw new IllegalStateException("not all leases are still held");
                }
                return kept;
            }
        } finally {
            bench.server().empty("leases");
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

    /** Statements are counted from the first to the last, so that where the watch begins and ends doesn't matter. */
    private static KeptLeases watched(
            MeteredDataSource metered, Duration every, int periods, List<String> names, Floor floor) throws Exception {
        String[] rows = names.toArray(String[]::new);
        var floorMillis = new ArrayList<Double>();
        metered.time();
        long began = System.nanoTime();
        long patience = every.multipliedBy(periods * 10L).toNanos();
        int seen = 0;
        while (metered.executions().size() < 2 || System.nanoTime() - began < every.toNanos() * periods) {
            if (System.nanoTime() - began > patience) {
                throw new IllegalStateException("no renewals are to be seen");
            }
            if (metered.executions().size() > seen) {
                seen = metered.executions().size();
                long sent = System.nanoTime();
                floor.updateAll(rows);
                floorMillis.add((System.nanoTime() - sent) / 1e6);
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        List<Execution> all = metered.executions();
        double span = all.get(all.size() - 1).sentNanos() - all.get(0).sentNanos();
        double perPeriod = (all.size() - 1) / (span / every.toNanos());
        double each = Median.of(all.stream().map(one -> one.nanos() / 1e6).toList());
        return new KeptLeases(each * perPeriod, perPeriod, floorMillis);
    }
}
