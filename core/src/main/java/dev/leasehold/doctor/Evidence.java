package dev.leasehold.doctor;

import java.util.List;

/**
 * What a {@link Finding} was concluded from, as a table: a row a session, setting or lease. Immutable.
 *
 * @param columns lower case, one word each: the keys of a row for programs, its headings for people
 * @param rows as many cells as there are columns; never null, empty where there is nothing to say
 */
public record Evidence(List<String> columns, List<List<String>> rows) {

    /** @throws IllegalArgumentException if a row has more or fewer cells than there are columns */
    public Evidence {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<String> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException("the row " + row + " of the evidence has " + row.size()
                        + " cells, but must have " + columns.size() + ", one for each of " + columns);
            }
        }
    }

    /** No table: the title of the finding says it all. */
    public static Evidence none() {
        return new Evidence(List.of(), List.of());
    }
}
