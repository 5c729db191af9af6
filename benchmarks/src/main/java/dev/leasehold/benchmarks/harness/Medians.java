package dev.leasehold.benchmarks.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What the rounds of one scenario gave: of each row and figure, the values and their median. */
public final class Medians {

    private final Map<String, Map<String, List<Double>>> values = new LinkedHashMap<>();

    void add(String row, Map<String, Double> figures) {
        figures.forEach((figure, value) -> values.computeIfAbsent(row, any -> new LinkedHashMap<>())
                .computeIfAbsent(figure, any -> new ArrayList<>())
                .add(value));
    }

    /** How many rounds there were. */
    public int rounds() {
        return values.values().stream()
                .flatMap(figures -> figures.values().stream())
                .mapToInt(List::size)
                .max()
                .orElse(0);
    }

    public double of(String row, String figure) {
        return Median.of(all(row, figure));
    }

    /** The median of the rounds' ratios, each to another row of the same round. */
    public double ratio(String row, String floor, String figure) {
        List<Double> above = all(row, figure);
        List<Double> below = all(floor, figure);
        return Median.of(IntStream.range(0, above.size())
                .mapToDouble(round -> above.get(round) / below.get(round))
                .toArray());
    }

    public double mean(String row, String figure) {
        return all(row, figure).stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElseThrow();
    }

    public double max(String row, String figure) {
        return all(row, figure).stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    private List<Double> all(String row, String figure) {
        List<Double> all = values.getOrDefault(row, Map.of()).getOrDefault(figure, List.of());
        if (all.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured for " + row + ", " + figure);
        }
        return all;
    }
}
