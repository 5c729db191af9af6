package dev.leasehold.doctor;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a {@link Finding} was concluded from, as a table: a row a session, setting or lease. Immutable.
 *
 * @param rows as many cells as there are columns, each of the type that its column has, or an empty string where there is
 *     nothing to say; names of leases are whole, with whatever signs they hold
 * @param leftOut how many more rows there are that nobody would read
 */
public record Evidence(List<Column> columns, List<List<Object>> rows, int leftOut) {

    static final String ABSENT = "";

    private static final int MOST_ROWS = 100;
    private static final int MOST_CHARACTERS = 300;

    /** @throws IllegalArgumentException if a row has more or fewer cells than there are columns, or one of another type */
    public Evidence {
        columns = List.copyOf(columns);
        rows = rows.stream()
                .map(row -> row.stream().map(Evidence::wide).toList())
                .toList();
        for (List<Object> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException("the row " + row + " of the evidence has " + row.size()
                        + " cells, but must have " + columns.size() + ", one for each of " + columns);
            }
            for (int i = 0; i < row.size(); i++) {
                if (!columns.get(i).fits(row.get(i))) {
                    throw new IllegalArgumentException("the cell " + row.get(i) + " of the evidence is a "
                            + row.get(i).getClass().getSimpleName() + ", but must be of kind "
                            + columns.get(i).kind() + " in column "
                            + columns.get(i).name());
                }
            }
        }
    }

    /** No table: the title of the finding says it all. */
    public static Evidence none() {
        return new Evidence(List.of(), List.of(), 0);
    }

    /** As many rows as somebody would read. */
    static Evidence of(List<Column> columns, List<List<Object>> rows) {
        return of(columns, rows, MOST_ROWS);
    }

    static Evidence of(List<Column> columns, List<List<Object>> rows, int most) {
        int shown = Math.min(rows.size(), most);
        return new Evidence(columns, rows.subList(0, shown), rows.size() - shown);
    }

    static Object cell(Optional<?> value) {
        return value.isPresent() ? value.get() : ABSENT;
    }

    private static Object wide(Object cell) {
        if (cell instanceof List<?> list) {
            return list.stream().map(Evidence::wide).toList();
        }
        return cell instanceof Integer number ? (Object) number.longValue() : cell;
    }

    /** A cell for people: one line, of which 300 characters are shown. Programs take the cell, whose names are whole. */
    public static String text(Object cell) {
        if (cell instanceof Duration duration) {
            return Ages.text(duration);
        }
        if (cell instanceof List<?> list) {
            return list.stream().map(Evidence::text).collect(Collectors.joining("; "));
        }
        return OneLine.indented(cell.toString(), MOST_CHARACTERS);
    }
}
