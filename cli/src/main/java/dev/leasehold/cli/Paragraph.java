package dev.leasehold.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Breaks text into lines at its spaces. Its own line breaks stay, as does the indent of such a line. What stands in backticks is
 * SQL, and is not broken: it can be copied as it is.
 */
final class Paragraph {

    /** A piece of SQL with what touches it, or a word. */
    private static final Pattern PIECE = Pattern.compile("[^\\s`]*`[^`]*`[^\\s`]*|\\S+");

    private static final Pattern SQL = Pattern.compile("`[^`]*`");
    private static final int NARROWEST = 20;

    private Paragraph() {}

    /** No line is wider than that, unless a word or a piece of SQL is. */
    static List<String> lines(String text, int width) {
        int most = Math.max(width, NARROWEST);
        List<String> lines = new ArrayList<>();
        text.lines().forEach(line -> lines.addAll(broken(line.stripTrailing(), most)));
        return lines;
    }

    private static List<String> broken(String text, int most) {
        String indent = text.substring(0, text.length() - text.stripLeading().length());
        List<String> lines = new ArrayList<>();
        var line = new StringBuilder(indent);
        var pieces = PIECE.matcher(text);
        while (pieces.find()) {
            boolean isFirst = line.length() == indent.length();
            if (!isFirst && line.length() + 1 + pieces.group().length() > most) {
                lines.add(line.toString());
                line = new StringBuilder(indent);
                isFirst = true;
            }
            line.append(isFirst ? "" : " ").append(pieces.group());
        }
        lines.add(line.toString());
        return lines;
    }

    /** A line with its SQL in a tone of its own. */
    static String painted(String line, Paint paint) {
        return SQL.matcher(line).replaceAll(sql -> Matcher.quoteReplacement(paint.in(Paint.Tone.NOTE, sql.group())));
    }
}
