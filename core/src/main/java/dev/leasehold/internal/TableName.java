package dev.leasehold.internal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The name of a table: {@code table} or {@code schema.table}, each part as PostgreSQL stores it (a name given as
 * {@code Leases} is that mixed-case name).
 *
 * @param parts one or two names, unquoted
 */
public record TableName(List<String> parts) {

    private static final int MAX_BYTES_OF_A_NAME = 63;

    /**
     * The name that was given.
     *
     * @throws IllegalArgumentException for a name that PostgreSQL could not have; names it and the rule
     */
    public static TableName of(String given) {
        List<String> parts = List.of(given.split("\\.", -1));
        if (parts.size() > 2) {
            throw new IllegalArgumentException("table is \"" + given + "\", but must be table or schema.table");
        }
        for (String part : parts) {
            int bytes = part.getBytes(StandardCharsets.UTF_8).length;
            if (part.isBlank() || bytes > MAX_BYTES_OF_A_NAME || part.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("table is \"" + given + "\", but each part must have 1 to "
                        + MAX_BYTES_OF_A_NAME + " bytes and no U+0000");
            }
        }
        return new TableName(parts);
    }

    /** That table in the schema of this one. */
    public TableName beside(String table) {
        var beside = new ArrayList<>(parts);
        beside.set(beside.size() - 1, table);
        return new TableName(List.copyOf(beside));
    }

    /** As SQL: quoted, so that any name is taken as it is. */
    public String quoted() {
        return String.join(
                ".",
                parts.stream()
                        .map(part -> '"' + part.replace("\"", "\"\"") + '"')
                        .toList());
    }
}
