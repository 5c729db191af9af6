package dev.leasehold.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table of text for people: aligned columns under their headings. What is written in it is made harmless. One that would be wider
 * than the terminal tells what is the same in all rows on a line before it, does without its less important columns, then loses
 * the ends of long cells; if that is not enough, each cell is on a line of its own.
 */
final class TextTable {

    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();
    private final Map<Integer, Function<String, Paint.Tone>> tones = new HashMap<>();
    private final List<Integer> lessImportant = new ArrayList<>();
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

    /** Columns that a narrow terminal does without, the first of them first. */
    TextTable doingWithout(Integer... columns) {
        lessImportant.addAll(List.of(columns));
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

    /** Its lines; none is wider than that, unless a single word is. */
    List<String> lines(int width, Paint paint) {
        int most = width - indent.length();
        List<Integer> columns =
                new ArrayList<>(IntStream.range(0, headings.size()).boxed().toList());
        List<String> lines = new ArrayList<>(withoutTheSame(columns, most));
        List<Integer> important = new ArrayList<>(columns);
        for (Integer column : lessImportant) {
            if (widths(important).total() > most) {
                important.remove(column);
            }
        }
        ColumnWidths widths = widths(important).cutTo(most);
        lines.addAll(widths.total() <= most ? aligned(important, widths, paint) : cellByCell(columns, most, paint));
        return lines.stream().map(line -> line.isEmpty() ? "" : indent + line).toList();
    }

    private ColumnWidths widths(List<Integer> columns) {
        List<List<String>> all = Stream.concat(Stream.of(headings), rows.stream())
                .map(cells -> of(cells, columns))
                .toList();
        return ColumnWidths.of(all, columns.size());
    }

    private static <T> List<T> of(List<T> cells, List<Integer> columns) {
        return columns.stream().map(cells::get).toList();
    }

    /**
     * As far as it must, takes away columns whose cells are all the same, those without any text before others, but not the
     * first.
     *
     * @return what they say
     */
    private List<String> withoutTheSame(List<Integer> columns, int most) {
        List<Integer> same = columns.stream().skip(1).filter(this::isSame).toList();
        List<String> told = new ArrayList<>();
        for (boolean isEmpty : List.of(true, false)) {
            for (Integer column : same) {
                String cell = rows.get(0).get(column).strip();
                if (cell.isEmpty() == isEmpty && widths(columns).total() > most && columns.remove(column) && !isEmpty) {
                    told.add(headings.get(column) + " " + cell);
                }
            }
        }
        return told.isEmpty() ? List.of() : Paragraph.lines("in all rows: " + String.join(", ", told), most);
    }

    private boolean isSame(int column) {
        List<String> cells =
                rows.stream().map(row -> row.get(column)).distinct().toList();
        return cells.size() == 1 && (rows.size() > 1 || cells.get(0).isEmpty());
    }

    private List<String> aligned(List<Integer> columns, ColumnWidths widths, Paint paint) {
        List<BinaryOperator<String>> painted = columns.stream()
                .<BinaryOperator<String>>map(column -> (cell, shown) -> paint.in(tone(column, cell), shown))
                .toList();
        List<String> lines = new ArrayList<>();
        lines.add(paint.bold(
                widths.line(of(headings, columns), Collections.nCopies(columns.size(), (cell, shown) -> shown))));
        rows.forEach(row -> lines.add(widths.line(of(row, columns), painted)));
        return lines;
    }

    /** Each cell on lines of its own, but those that are empty. */
    private List<String> cellByCell(List<Integer> columns, int most, Paint paint) {
        int before = ColumnWidths.of(List.of(of(headings, columns)), columns.size()).all().stream()
                .max(Integer::compare)
                .orElse(0);
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            for (int column : columns) {
                String begin = paint.bold(headings.get(column))
                        + " ".repeat(before - ColumnWidths.length(headings.get(column)));
                String cell = row.get(column);
                for (String part : Paragraph.lines(cell.strip(), most - before - ColumnWidths.GAP.length())) {
                    lines.add(begin + ColumnWidths.GAP + paint.in(tone(column, cell), part));
                    begin = " ".repeat(before);
                }
            }
        }
        return lines;
    }

    private Paint.Tone tone(int column, String cell) {
        Function<String, Paint.Tone> tone = tones.get(column);
        return tone == null ? Paint.Tone.PLAIN : tone.apply(cell);
    }
}
