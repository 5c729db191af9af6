package dev.leasehold.benchmarks.harness;

import java.util.Arrays;
import java.util.Collection;

/** The middle of several values; of an even number of them, between the two in the middle. */
public final class Median {

    private Median() {}

    public static double of(Collection<Double> values) {
        return of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    public static double of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
