package dev.leasehold.micrometer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an expression of Prometheus names: as much of its grammar as rules and dashboards use here, and an error for the rest.
 *
 * @param selectors the metrics, with what is asked of their labels
 * @param groupings the labels of each {@code by}
 * @see <a href="https://prometheus.io/docs/prometheus/latest/querying/basics/">Prometheus, querying</a>
 */
record PromQl(List<Selector> selectors, List<List<String>> groupings) {

    private static final Set<String> FUNCTIONS = Set.of("rate", "increase", "sum", "min", "max", "label_values");
    private static final Set<String> OPERATORS = Set.of("and", "or", "unless");
    private static final Pattern TOKEN = Pattern.compile(
            "\\s*([a-zA-Z_]\\w*|\\[(?:\\d+[smhd]|\\$__rate_interval)]|\\{[^}]*}|[0-9.]+|[<>=!]=|[-+*/<>(),])\\s*");
    private static final Pattern MATCH = Pattern.compile("\\s*([a-z_]+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"\\s*(?:,|$)");

    /** One label, how it is compared, and with what. */
    record Match(String label, String operator, String value) {}

    /**
     * One metric in the expression.
     *
     * @param grouping the labels of the {@code by} that stands before it; none if there is none
     */
    record Selector(String metric, List<Match> matches, boolean isRange, List<String> grouping) {}

    static PromQl of(String expression) {
        Deque<String> tokens = tokens(expression);
        var parsed = new PromQl(new ArrayList<>(), new ArrayList<>());
        List<String> grouping = List.of();
        while (!tokens.isEmpty()) {
            String token = tokens.remove();
            if (!isName(token) || OPERATORS.contains(token)) {
                continue;
            }
            if (token.equals("by")) {
                grouping = grouping(tokens);
                parsed.groupings.add(grouping);
            } else if (startsWith(tokens, "(") || startsWith(tokens, "by")) {
                if (!FUNCTIONS.contains(token)) {
                    throw new IllegalArgumentException("no function is called " + token + ": " + expression);
                }
            } else {
                String labels = startsWith(tokens, "{") ? tokens.remove() : "{}";
                boolean isRange = startsWith(tokens, "[");
                parsed.selectors.add(new Selector(token, matches(labels), isRange, grouping));
            }
        }
        return parsed;
    }

    private static Deque<String> tokens(String expression) {
        Deque<String> tokens = new ArrayDeque<>();
        Matcher matcher = TOKEN.matcher(expression);
        int end = 0;
        while (matcher.lookingAt()) {
            tokens.add(matcher.group(1));
            end = matcher.end();
            matcher.region(end, expression.length());
        }
        if (end < expression.length()) {
            throw new IllegalArgumentException("not understood: " + expression.substring(end));
        }
        return tokens;
    }

    private static boolean isName(String token) {
        return Character.isLetter(token.charAt(0)) || token.charAt(0) == '_';
    }

    private static boolean startsWith(Deque<String> tokens, String start) {
        String next = tokens.peek();
        return next != null && next.startsWith(start);
    }

    private static List<String> grouping(Deque<String> tokens) {
        List<String> labels = new ArrayList<>();
        for (String token = tokens.remove(); !token.equals(")"); token = tokens.remove()) {
            if (isName(token)) {
                labels.add(token);
            }
        }
        return labels;
    }

    private static List<Match> matches(String braces) {
        String text = braces.substring(1, braces.length() - 1);
        List<Match> matches = new ArrayList<>();
        Matcher matcher = MATCH.matcher(text);
        int end = 0;
        while (matcher.lookingAt()) {
            matches.add(new Match(matcher.group(1), matcher.group(2), matcher.group(3)));
            end = matcher.end();
            matcher.region(end, text.length());
        }
        if (end < text.length()) {
            throw new IllegalArgumentException("not understood: " + braces);
        }
        return matches;
    }
}
