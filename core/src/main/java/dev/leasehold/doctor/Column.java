package dev.leasehold.doctor;

import java.time.Duration;
import java.util.List;

/**
 * What stands in a column of an {@link Evidence}. Immutable.
 *
 * @param name lower case, words with {@code _} between them
 */
public record Column(String name, Kind kind) {

    /** Of which type the cells are. */
    public enum Kind {
        /** {@link String}. */
        TEXT,
        /** {@link Long}. */
        NUMBER,
        /** {@link Duration}. */
        DURATION,
        /** {@link List} of {@link String} and {@link Long}. */
        LIST
    }

    static Column text(String name) {
        return new Column(name, Kind.TEXT);
    }

    static Column number(String name) {
        return new Column(name, Kind.NUMBER);
    }

    static Column duration(String name) {
        return new Column(name, Kind.DURATION);
    }

    static Column list(String name) {
        return new Column(name, Kind.LIST);
    }

    static List<Column> texts(String... names) {
        return List.of(names).stream().map(Column::text).toList();
    }

    /** For programs, in which durations are seconds and their names say so. */
    public String key() {
        return kind == Kind.DURATION ? name + "_seconds" : name;
    }

    /** For people. */
    public String heading() {
        return name.replace('_', ' ');
    }

    boolean fits(Object cell) {
        return cell.equals(Evidence.ABSENT)
                || switch (kind) {
                    case TEXT -> cell instanceof String;
                    case NUMBER -> cell instanceof Long;
                    case DURATION -> cell instanceof Duration;
                    case LIST ->
                        cell instanceof List<?> list
                                && list.stream().allMatch(one -> one instanceof String || one instanceof Long);
                };
    }
}
