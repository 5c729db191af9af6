package dev.leasehold.micrometer;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The dashboard as it lies in the jar.
 *
 * @param json all of it
 */
record Dashboard(JsonNode json) {

    private static final Pattern VALUES = Pattern.compile("label_values\\((.+), (\\w+)\\)");

    /** Where a panel lies on the grid. */
    record Place(String title, int x, int y, int width, int height) {

        boolean overlaps(Place other) {
            return x < other.x + other.width
                    && other.x < x + width
                    && y < other.y + other.height
                    && other.y < y + height;
        }
    }

    static Dashboard load() throws IOException {
        try (InputStream file = LeaseholdMeters.class.getResourceAsStream("leasehold-dashboard.json")) {
            return new Dashboard(JsonMapper.shared().readTree(Objects.requireNonNull(file)));
        }
    }

    List<JsonNode> panels() {
        return List.copyOf(json.get("panels").values());
    }

    /** Those that show something, so not the rows. */
    List<JsonNode> charts() {
        return panels().stream()
                .filter(panel -> !panel.get("type").stringValue().equals("row"))
                .toList();
    }

    List<JsonNode> variables() {
        return List.copyOf(json.get("templating").get("list").values());
    }

    static String title(JsonNode panel) {
        return panel.get("title").stringValue();
    }

    List<Place> places() {
        return panels().stream()
                .map(panel -> {
                    JsonNode at = panel.get("gridPos");
                    return new Place(
                            title(panel),
                            at.get("x").intValue(),
                            at.get("y").intValue(),
                            at.get("w").intValue(),
                            at.get("h").intValue());
                })
                .toList();
    }

    List<Query> queries() {
        List<Query> queries = new ArrayList<>();
        for (JsonNode panel : charts()) {
            for (JsonNode target : panel.get("targets").values()) {
                queries.add(new Query(
                        "panel " + title(panel),
                        target.get("expr").stringValue(),
                        List.of(target.get("legendFormat").stringValue())));
            }
        }
        return queries;
    }

    /** What the variables are filled from, as an expression whose answer has the label. */
    List<Query> variableQueries() {
        return variables().stream()
                .filter(variable -> variable.get("type").stringValue().equals("query"))
                .map(variable -> {
                    var asked =
                            VALUES.matcher(variable.get("query").get("query").stringValue());
                    if (!asked.matches()) {
                        throw new AssertionError("not understood: " + variable);
                    }
                    return new Query("variable", asked.group(1), List.of("{{" + asked.group(2) + "}}"));
                })
                .toList();
    }
}
