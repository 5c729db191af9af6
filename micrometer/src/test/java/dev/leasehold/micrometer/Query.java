package dev.leasehold.micrometer;

import dev.leasehold.micrometer.PromQl.Match;
import dev.leasehold.micrometer.PromQl.Selector;
import dev.leasehold.micrometer.Scrape.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One expression, and the texts that name labels of its answer, as {@code {{round}}} or {@code {{ $labels.round }}}.
 *
 * @param where for whom reads that it is wrong
 */
record Query(String where, String expression, List<String> texts) {

    /** Prometheus adds these to what it scrapes. */
    private static final Set<String> OF_THE_TARGET = Set.of("job", "instance");

    private static final Pattern NAMED_LABEL = Pattern.compile("\\{\\{\\s*(?:\\$labels\\.)?(\\w+)\\s*}}");

    /** What it names and is not there, or can't be asked like that; empty if all is well. */
    List<String> faults(Scrape scrape) {
        List<String> faults = new ArrayList<>();
        PromQl parsed;
        try {
            parsed = PromQl.of(expression);
        } catch (IllegalArgumentException e) {
            return List.of(where + ": " + e.getMessage());
        }
        if (parsed.selectors().isEmpty()) {
            faults.add("no metric");
        }
        for (Selector selector : parsed.selectors()) {
            Metric metric = scrape.metrics().get(selector.metric());
            if (metric == null) {
                faults.add("no metric " + selector.metric());
                continue;
            }
            if (selector.isRange() != metric.isCounter()) {
                faults.add(
                        "only counters are asked for what came in a time, and for nothing else: " + selector.metric());
            }
            selector.matches().forEach(match -> check(match, selector.metric(), metric, faults));
            checkLabels(selector.grouping(), selector.metric(), metric, faults);
            if (parsed.groupings().isEmpty()) {
                checkLabels(labelsOfTexts(), selector.metric(), metric, faults);
            }
        }
        for (List<String> grouping : parsed.groupings()) {
            labelsOfTexts().stream()
                    .filter(label -> !grouping.contains(label))
                    .forEach(label -> faults.add("no label " + label + " is left by " + grouping));
        }
        return faults.stream().map(fault -> where + ": " + fault).toList();
    }

    private List<String> labelsOfTexts() {
        return texts.stream()
                .flatMap(text -> NAMED_LABEL.matcher(text).results())
                .map(found -> found.group(1))
                .toList();
    }

    private static void checkLabels(List<String> labels, String name, Metric metric, List<String> faults) {
        labels.stream()
                .filter(label -> !isLabel(label, metric))
                .forEach(label -> faults.add("no label " + label + " of " + name));
    }

    private static boolean isLabel(String label, Metric metric) {
        return OF_THE_TARGET.contains(label) || metric.labels().containsKey(label);
    }

    /** A value that the scrape never has is a misspelt one; what a variable stands for the dashboard has from the scrape. */
    private static void check(Match match, String name, Metric metric, List<String> faults) {
        checkLabels(List.of(match.label()), name, metric, faults);
        Set<String> values = metric.labels().getOrDefault(match.label(), Set.of());
        if (match.value().startsWith("$") || values.isEmpty()) {
            return;
        }
        List<String> asked = List.of(match.value().split("\\|", -1));
        asked.stream()
                .filter(value -> !values.contains(value))
                .forEach(value -> faults.add("no value " + value + " of " + name + "'s " + match.label()));
    }
}
