package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.goals.Goal;
import dev.leasehold.benchmarks.goals.Goals;
import dev.leasehold.benchmarks.report.Figures;
import dev.leasehold.benchmarks.report.Json;
import dev.leasehold.benchmarks.report.Markdown;
import dev.leasehold.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything a run has to say: where and how it ran, its figures, and the goals read off them. */
public record Report(Map<String, String> circumstances, Figures figures) {

    /** The circumstance that names the scenarios without figures. */
    static final String FAILED = "failed";

    /** Whether every scenario that was asked for has figures. */
    public boolean isComplete() {
        return !circumstances.containsKey(FAILED);
    }

    public List<Goal> goals() {
        return Goals.of(figures);
    }

    public String markdown() {
        var text = new StringBuilder();
        circumstances.forEach((what, value) ->
                text.append("- ").append(what).append(": ").append(value).append('\n'));
        text.append("\n### Goals\n\n").append(goalTable()).append('\n');
        for (Table table : figures.tables()) {
            text.append(Markdown.of(table)).append('\n');
        }
        return text.toString().stripTrailing() + "\n";
    }

    public String goalTable() {
        var lines = new ArrayList<List<String>>();
        lines.add(List.of("goal", "measured", "reached", "why not"));
        for (Goal goal : goals()) {
            String verdict = switch (goal.verdict()) {
                case YES -> "yes";
                case NO -> "no";
                case NOT_MEASURED -> "not measured";
            };
            lines.add(List.of(goal.goal(), goal.measured(), verdict, goal.reason()));
        }
        return Markdown.grid(lines, false);
    }

    public String json() {
        var all = new LinkedHashMap<String, Object>(circumstances);
        var scenarios = new LinkedHashMap<String, Object>();
        figures.tables().forEach(table -> scenarios.put(table.scenario(), rows(table)));
        all.put("scenarios", scenarios);
        all.put("goals", goals().stream().map(Report::fields).toList());
        return Json.of(all);
    }

    private static Map<String, Object> rows(Table table) {
        var rows = new LinkedHashMap<String, Object>();
        for (Table.Row row : table.rows()) {
            var figures = new LinkedHashMap<String, Object>();
            for (int i = 0; i < table.columns().size(); i++) {
                figures.put(table.columns().get(i).name(), row.values().get(i));
            }
            rows.put(row.label(), figures);
        }
        return rows;
    }

    private static Map<String, Object> fields(Goal goal) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("goal", goal.goal());
        fields.put("measured", goal.measured());
        fields.put("verdict", goal.verdict());
        fields.put("reason", goal.reason());
        return fields;
    }
}
