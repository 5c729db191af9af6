package dev.leasehold.micrometer;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The alert rules as they lie in the jar.
 *
 * @param rules each with its fields
 */
record Alerts(List<JsonNode> rules) {

    static Alerts load() throws IOException {
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        try (InputStream file = LeaseholdMeters.class.getResourceAsStream("leasehold-alerts.yml")) {
            Object yaml = new Yaml(options).load(Objects.requireNonNull(file));
            JsonNode root = JsonMapper.shared().valueToTree(yaml);
            List<JsonNode> rules = new ArrayList<>();
            root.get("groups")
                    .values()
                    .forEach(group -> rules.addAll(group.get("rules").values()));
            return new Alerts(rules);
        }
    }

    List<Query> queries() {
        return rules.stream()
                .map(rule -> new Query(
                        "alert " + rule.get("alert").stringValue(),
                        rule.get("expr").stringValue(),
                        rule.get("annotations").values().stream()
                                .map(JsonNode::stringValue)
                                .toList()))
                .toList();
    }
}
