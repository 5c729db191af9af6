package dev.leasehold.benchmarks.harness;

import java.util.Map;

/** What is measured once a round: one subject, and the figures it gives. */
public record Cell(String row, Sample sample) {

    /** One measurement. */
    @FunctionalInterface
    public interface Sample {
        Map<String, Double> take() throws Exception;
    }
}
