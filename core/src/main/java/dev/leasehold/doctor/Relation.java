package dev.leasehold.doctor;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A relation that has the name of the lease table.
 *
 * @param name with its schema, quoted where that is needed
 * @param types of its columns, by name
 * @param readable the columns that the role may read
 */
record Relation(
        long oid,
        boolean isTable,
        String name,
        String schema,
        boolean hasUsage,
        Map<String, String> types,
        Set<String> readable) {

    private static final String TIME = "timestamp with time zone";
    private static final Map<String, String> LATER_COLUMNS =
            Map.of("fence", "bigint", "done_slot", TIME, "deaths", "integer", "pause_reason", "text");

    /**
     * A row of {@link DoctorSql#RELATION}.
     *
     * @param name null if the relation has no columns
     */
    record Column(
            Relation of, @Nullable String name, @Nullable String type, boolean isReadable) {}

    /** Empty if there is none. */
    static Optional<Relation> of(List<Column> columns) {
        var types = new HashMap<String, String>();
        var readable = new HashSet<String>();
        for (Column column : columns) {
            if (column.name() != null && column.type() != null) {
                types.put(column.name(), column.type());
                if (column.isReadable()) {
                    readable.add(column.name());
                }
            }
        }
        return columns.stream()
                .findFirst()
                .map(Column::of)
                .map(relation -> new Relation(
                        relation.oid(),
                        relation.isTable(),
                        relation.name(),
                        relation.schema(),
                        relation.hasUsage(),
                        types,
                        readable));
    }

    Relation {
        types = Map.copyOf(types);
        readable = Set.copyOf(readable);
    }

    /** What keeps it from being a lease table, in its oldest form at least; empty if it is one. */
    List<String> faults() {
        if (!isTable) {
            return List.of("it is a view or a foreign table");
        }
        return Stream.of("name", "holder", "taken_at", "expires_at")
                .filter(column -> !isOfItsType(column))
                .map(column -> types.containsKey(column)
                        ? "its column " + column + " is of type " + types.get(column)
                        : "it lacks the column " + column)
                .toList();
    }

    private boolean isOfItsType(String column) {
        String type = types.get(column);
        return type != null && (type.equals(TIME) || !column.endsWith("_at"));
    }

    boolean isReadable() {
        return hasUsage && isReadableWithUsage();
    }

    boolean isReadableWithUsage() {
        return readable.containsAll(Set.of("name", "holder", "taken_at", "expires_at"));
    }

    /** The columns of later versions that it lacks. */
    List<String> missing() {
        return LATER_COLUMNS.keySet().stream()
                .filter(column -> !types.containsKey(column))
                .sorted()
                .toList();
    }

    /** The statement about this table, with nulls for the columns that cannot be read. */
    String fill(String sql) {
        String filled = sql.replace(":table", name);
        for (var column : new TreeMap<>(LATER_COLUMNS).entrySet()) {
            boolean isThere =
                    readable.contains(column.getKey()) && column.getValue().equals(types.get(column.getKey()));
            filled = filled.replace(":" + column.getKey(), isThere ? column.getKey() : "null::" + column.getValue());
        }
        return filled;
    }
}
