package dev.leasehold.benchmarks.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The figures for programs: scenario, subject, figure, value. */
public final class JsonReport {

    private JsonReport() {}

    public static Map<String, Object> of(List<Table> tables, long seed) {
        var all = new LinkedHashMap<String, Object>();
        all.put("seed", seed);
        var scenarios = new LinkedHashMap<String, Object>();
        tables.forEach(table -> scenarios.put(table.scenario(), rows(table)));
        all.put("scenarios", scenarios);
        return all;
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
}
