package dev.leasehold.micrometer;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a scrape answers, in Prometheus' text format.
 *
 * @param metrics by name, as expressions name them
 * @see <a href="https://prometheus.io/docs/instrumenting/exposition_formats/">Prometheus, exposition formats</a>
 */
record Scrape(Map<String, Metric> metrics) {

    private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\S+) (\\S+)$");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z_]+)(?:\\{([^}]*)\\})? (\\S+)$");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");

    /** One metric, with the values of each of its labels, and the sum of its samples. */
    record Metric(String type, Map<String, Set<String>> labels, double sum) {

        boolean isCounter() {
            return type.equals("counter");
        }
    }

    static Scrape of(String text) {
        Map<String, String> types = TYPE.matcher(text)
                .results()
                .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));
        Map<String, Metric> metrics = new HashMap<>();
        SAMPLE.matcher(text).results().forEach(sample -> {
            String name = sample.group(1);
            Metric before = metrics.getOrDefault(name, new Metric(type(name, types), Map.of(), 0));
            metrics.put(name, with(before, sample));
        });
        return new Scrape(metrics);
    }

    /** The count and the sum of a summary only grow, as a counter does. */
    private static String type(String name, Map<String, String> types) {
        boolean isOfSummary = "summary".equals(types.get(name.replaceAll("_(count|sum)$", "")));
        return isOfSummary ? "counter" : String.valueOf(types.get(name));
    }

    private static Metric with(Metric metric, MatchResult sample) {
        Map<String, Set<String>> labels = new HashMap<>(metric.labels());
        String text = sample.group(2) == null ? "" : sample.group(2);
        LABEL.matcher(text)
                .results()
                .forEach(label -> labels.computeIfAbsent(label.group(1), any -> new HashSet<>())
                        .add(label.group(2)));
        return new Metric(metric.type(), labels, metric.sum() + Double.parseDouble(sample.group(3)));
    }
}
