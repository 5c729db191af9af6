package dev.leasehold.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a finding says, for people: text of the database is made one short line, whatever is in it. */
final class Words {

    private static final int MOST_OF_A_NAME = 63;
    private static final int MOST_OF_A_QUERY = 80;
    private static final int MOST_ROWS = 100;

    private Words() {}

    /** The name of an application, role, database or lock: without line ends and what a terminal could take for a command. */
    static String name(String text) {
        return line(text, MOST_OF_A_NAME);
    }

    static String query(String text) {
        return line(text, MOST_OF_A_QUERY);
    }

    /** One line of at most so many characters. */
    static String line(String text, int most) {
        int[] all = text.codePoints().map(Words::visible).toArray();
        String line = new String(all, 0, all.length).replaceAll(" +", " ").strip();
        if (line.codePointCount(0, line.length()) <= most) {
            return line;
        }
        return line.substring(0, line.offsetByCodePoints(0, most - 1)) + "…";
    }

    private static int visible(int codePoint) {
        if (Character.isWhitespace(codePoint) || Character.isSpaceChar(codePoint)) {
            return ' ';
        }
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED -> '?';
            default -> codePoint;
        };
    }

    /** Two units at most, such as {@code 3 min 12 s}. */
    static String duration(Duration duration) {
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            return Math.max(0, duration.toMillis()) + " ms";
        }
        if (duration.toMinutes() == 0) {
            return duration.toSeconds() + " s";
        }
        if (duration.toHours() == 0) {
            return duration.toMinutes() + " min" + rest(duration.toSecondsPart(), "s");
        }
        if (duration.toDays() == 0) {
            return duration.toHours() + " h" + rest(duration.toMinutesPart(), "min");
        }
        return duration.toDays() + " d" + rest(duration.toHoursPart(), "h");
    }

    private static String rest(int count, String unit) {
        return count == 0 ? "" : " " + count + " " + unit;
    }

    /** Such as {@code 1 session} and {@code 3 sessions}. */
    static String count(int count, String one) {
        return count + " " + one + (count == 1 ? "" : "s");
    }

    /** As an identifier in SQL that can be run as it is. */
    static String identifier(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** SQL that ends those sessions. */
    static String terminate(List<Integer> pids) {
        if (pids.size() == 1) {
            return "`select pg_terminate_backend(" + pids.get(0) + ");`";
        }
        return "`select pg_terminate_backend(pid) from unnest(array" + pids + ") as pid;`";
    }

    /** A table of as many rows as somebody would read; how many more there are is its last row. */
    static Evidence table(List<String> columns, List<List<String>> rows) {
        if (rows.size() <= MOST_ROWS) {
            return new Evidence(columns, rows);
        }
        var told = new ArrayList<>(rows.subList(0, MOST_ROWS - 1));
        var last = new ArrayList<>(columns.stream().map(column -> "").toList());
        last.set(0, "… " + (rows.size() - told.size()) + " more");
        told.add(last);
        return new Evidence(columns, told);
    }
}
