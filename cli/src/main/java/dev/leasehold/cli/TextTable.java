package dev.leasehold.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A table of text for people: aligned columns under their headings. What is written in it is made harmless; a line that would
 * be wider than the terminal loses the ends of its widest cells.
 */
final class TextTable {

    private static final String GAP = "  ";
    private static final String CUT = "…";
    private static final int NARROWEST = 4;

    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();
    private final Map<Integer, Function<String, Paint.Tone>> tones = new HashMap<>();
    private final String indent;

    TextTable(String... headings) {
        this("", List.of(headings));
    }

    /** With that text before each line. */
    TextTable(String indent, List<String> headings) {
        this.indent = indent;
        this.headings = headings.stream().map(PlainText::inALine).toList();
    }

    /** The cells of that column are coloured by what stands in them. */
    TextTable painting(int column, Function<String, Paint.Tone> tone) {
        tones.put(column, tone);
        return this;
    }

    TextTable row(String... cells) {
        return row(List.of(cells));
    }

    /** As many cells as there are headings. */
    TextTable row(List<String> cells) {
        if (cells.size() != headings.size()) {
            throw new IllegalArgumentException(
                    "the row " + cells + " has " + cells.size() + " cells, but must have " + headings.size());
        }
        rows.add(cells.stream().map(PlainText::inALine).toList());
        return this;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Its lines, none wider than that as long as each column keeps some of it. */
    List<String> lines(int width, Paint paint) {
        int[] widths = widths(width);
        var lines = new ArrayList<String>();
        lines.add(indent + paint.bold(line(headings, widths, (column, shown) -> shown)));
        for (List<String> row : rows) {
            lines.add(indent + line(row, widths, (column, shown) -> paint.in(tone(column, row.get(column)), shown)));
        }
        return lines;
    }

    private Paint.Tone tone(int column, String cell) {
        Function<String, Paint.Tone> tone = tones.get(column);
        return tone == null ? Paint.Tone.PLAIN : tone.apply(cell);
    }

    private int[] widths(int most) {
        int[] widths = new int[headings.size()];
        for (int column = 0; column < widths.length; column++) {
            int of = column;
            widths[column] = Stream.concat(Stream.of(headings), rows.stream())
                    .mapToInt(row -> length(row.get(of)))
                    .max()
                    .orElse(0);
        }
        int over = total(widths) - most;
        while (over > 0) {
            int widest = widest(widths);
            if (widths[widest] <= NARROWEST) {
                break;
            }
            widths[widest]--;
            over--;
        }
        return widths;
    }

    private long totalGaps() {
        return indent.length() + (long) GAP.length() * Math.max(0, headings.size() - 1);
    }

    private int total(int[] widths) {
        long total = totalGaps();
        for (int width : widths) {
            total += width;
        }
        return (int) Math.min(Integer.MAX_VALUE, total);
    }

    private static int widest(int[] widths) {
        int widest = 0;
        for (int column = 1; column < widths.length; column++) {
            if (widths[column] > widths[widest]) {
                widest = column;
            }
        }
        return widest;
    }

    private static String line(List<String> cells, int[] widths, BiFunction<Integer, String, String> painted) {
        var line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = cut(cells.get(column), widths[column]);
            line.append(painted.apply(column, cell));
            if (column < widths.length - 1) {
                line.append(" ".repeat(widths[column] - length(cell))).append(GAP);
            }
        }
        return line.toString().stripTrailing();
    }

    private static String cut(String cell, int width) {
        if (length(cell) <= width) {
            return cell;
        }
        return cell.substring(0, cell.offsetByCodePoints(0, width - 1)) + CUT;
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
