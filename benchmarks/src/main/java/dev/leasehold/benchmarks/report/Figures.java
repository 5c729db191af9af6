package dev.leasehold.benchmarks.report;

import java.util.List;
import java.util.OptionalDouble;

/** All tables of a run, to look figures up in. */
public record Figures(List<Table> tables) {

    public Figures {
        tables = List.copyOf(tables);
    }

    /** A figure by its scenario, row and column; empty if it was not measured in this run. */
    public OptionalDouble value(String scenario, String row, String column) {
        return tables.stream()
                .filter(table -> table.scenario().equals(scenario))
                .findFirst()
                .map(table -> table.value(row, column))
                .orElse(OptionalDouble.empty());
    }
}
