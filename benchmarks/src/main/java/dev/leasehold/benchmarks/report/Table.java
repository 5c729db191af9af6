package dev.leasehold.benchmarks.report;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The figures of one scenario.
 *
 * @param notes what one must know to read it
 */
public record Table(String scenario, String title, List<Column> columns, List<Row> rows, List<String> notes) {

    /** A line; {@code NaN} is what was not measured or makes no sense. */
    public record Row(String label, List<Double> values) {}

    public Table {
        for (Row row : rows) {
            if (row.values().size() != columns.size()) {
                throw new IllegalArgumentException(row + " does not fit " + columns);
            }
        }
    }

    /** A figure by its row and column, if it was measured. */
    public OptionalDouble value(String label, String column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(column)) {
                int index = i;
                return rows.stream()
                        .filter(row -> row.label().equals(label))
                        .mapToDouble(row -> row.values().get(index))
                        .filter(value -> !Double.isNaN(value))
                        .findFirst();
            }
        }
        throw new IllegalArgumentException("no column " + column + " in " + scenario);
    }
}
