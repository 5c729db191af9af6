package dev.leasehold.benchmarks.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.harness.MeteredDataSource;
import dev.leasehold.benchmarks.subject.Contender;
import dev.leasehold.benchmarks.subject.Hold;
import dev.leasehold.benchmarks.subject.Subject;
import java.util.ArrayList;
import java.util.List;

/**
 * The renewal of many holds of a subject that has a call for each.
 *
 * @param millis what all of them take
 * @param statements how many are executed
 */
record OneByOne(double millis, double statements) {

    /** They are acquired without waiting for the disk, to save time, and renewed durably. */
    static OneByOne measure(Bench bench, Subject subject, List<String> names) throws Exception {
        String table = subject.table().orElseThrow();
        bench.server().empty(table);
        try (HikariDataSource durable = bench.pool();
                HikariDataSource quick = bench.pool("-c synchronous_commit=off")) {
            var metered = new MeteredDataSource(quick);
            try (Contender contender = subject.contender(metered, OpenContenders.LONG_TTL)) {
                var holds = new ArrayList<Hold>();
                for (String name : names) {
                    holds.add(contender.tryAcquire(name).orElseThrow());
                }
                bench.settle();
                metered.switchTo(durable);
                return pass(bench, metered, holds);
            }
        } finally {
            bench.server().empty(table);
        }
    }

    private static OneByOne pass(Bench bench, MeteredDataSource metered, List<Hold> holds) throws Exception {
        for (int i = 0; i < bench.sizes().attempts() / 2; i++) {
            holds.get(i % holds.size()).renew();
        }
        long before = metered.statements();
        long began = System.nanoTime();
        long limit = bench.sizes().longestPass().toNanos();
        int atLeast = bench.sizes().attempts() / 2;
        int renewed = 0;
        while (renewed < Math.max(holds.size(), atLeast) && System.nanoTime() - began < limit) {
            holds.get(renewed++ % holds.size()).renew();
        }
        double part = (double) holds.size() / renewed;
        return new OneByOne((System.nanoTime() - began) / 1e6 * part, (metered.statements() - before) * part);
    }
}
