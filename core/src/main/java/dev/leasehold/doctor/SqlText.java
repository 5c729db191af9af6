package dev.leasehold.doctor;

import java.util.List;

/** Pieces of SQL for people to run: on one line, with whatever name. */
final class SqlText {

    private SqlText() {}

    /** A name in double quotes. */
    static String identifier(String name) {
        String quoted = '"' + name.replace("\"", "\"\"") + '"';
        return isVisible(name) ? quoted : "U&" + escaped(quoted.replace("\\", "\\\\"), "\\%04x", "\\+%06x");
    }

    /** A string. */
    static String literal(String text) {
        String quoted = "'" + text.replace("'", "''") + "'";
        return isVisible(text) && text.indexOf('\\') < 0
                ? quoted
                : "E" + escaped(quoted.replace("\\", "\\\\"), "\\u%04x", "\\U%08x");
    }

    /** Ends those sessions. */
    static String terminate(List<Integer> pids) {
        return call("pg_terminate_backend", pids);
    }

    /** Ends what those sessions do. */
    static String cancel(List<Integer> pids) {
        return call("pg_cancel_backend", pids);
    }

    private static String call(String function, List<Integer> pids) {
        return pids.size() == 1
                ? "select " + function + "(" + pids.get(0) + ");"
                : "select " + function + "(pid) from unnest(array" + pids + ") as pid;";
    }

    private static boolean isVisible(String text) {
        return text.codePoints().allMatch(SqlText::isVisible);
    }

    private static boolean isVisible(int codePoint) {
        return codePoint == ' ' || OneLine.isVisible(codePoint);
    }

    private static String escaped(String quoted, String basic, String others) {
        var text = new StringBuilder();
        quoted.codePoints().forEach(codePoint -> {
            if (isVisible(codePoint)) {
                text.appendCodePoint(codePoint);
            } else {
                text.append(String.format(Character.isBmpCodePoint(codePoint) ? basic : others, codePoint));
            }
        });
        return text.toString();
    }
}
