package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.harness.Bench;
import dev.leasehold.benchmarks.report.Table;

/** One question that is put to every subject. */
public interface Scenario {

    /** As the command line calls it. */
    String name();

    Table measure(Bench bench) throws Exception;
}
