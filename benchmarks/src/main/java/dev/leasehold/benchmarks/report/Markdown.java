package dev.leasehold.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Tables that line up as text and are Markdown too. */
public final class Markdown {

    private Markdown() {}

    public static String of(Table table) {
        var lines = new ArrayList<List<String>>();
        lines.add(cells("", table.columns().stream().map(Column::name).toList()));
        for (Table.Row row : table.rows()) {
            var values = new ArrayList<String>();
            for (int i = 0; i < row.values().size(); i++) {
                values.add(number(row.values().get(i), table.columns().get(i).decimals()));
            }
            lines.add(cells(row.label(), values));
        }
        String notes = table.notes().stream().map(note -> "- " + note + "\n").collect(Collectors.joining());
        return "### " + table.scenario() + ": " + table.title() + "\n\n" + grid(lines, true)
                + (notes.isEmpty() ? "" : "\n" + notes);
    }

    /** The first line is the head. Numbers stand at the right, all but the first column. */
    public static String grid(List<List<String>> lines, boolean numbers) {
        int columns = lines.get(0).size();
        var text = new StringBuilder();
        int[] widths = new int[columns];
        for (List<String> line : lines) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(Math.max(widths[i], 3), line.get(i).length());
            }
        }
        for (int number = 0; number < lines.size(); number++) {
            append(text, lines.get(number), widths, numbers);
            if (number == 0) {
                rule(text, widths, numbers);
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, List<String> line, int[] widths, boolean numbers) {
        for (int i = 0; i < widths.length; i++) {
            String padding = " ".repeat(widths[i] - line.get(i).length());
            text.append("| ").append(numbers && i > 0 ? padding + line.get(i) : line.get(i) + padding);
            text.append(' ');
        }
        text.append("|\n");
    }

    private static void rule(StringBuilder text, int[] widths, boolean numbers) {
        for (int i = 0; i < widths.length; i++) {
            boolean right = numbers && i > 0;
            text.append("| ").append("-".repeat(widths[i] - (right ? 1 : 0))).append(right ? ": " : " ");
        }
        text.append("|\n");
    }

    private static List<String> cells(String first, List<String> rest) {
        var all = new ArrayList<String>();
        all.add(first);
        all.addAll(rest);
        return all;
    }

    /** With thousands grouped; nothing for what was not measured. */
    public static String number(double value, int decimals) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
