package dev.leasehold.cli;

import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How wide the columns of a table are.
 *
 * @param all in characters, from the left to the right
 */
record ColumnWidths(List<Integer> all) {

    static final String GAP = "  ";
    private static final String CUT = "...";

    /** What is no longer is not cut: less of a cell would say nothing. */
    private static final int NOT_CUT = 16;

    /** As wide as their widest cell. */
    static ColumnWidths of(List<List<String>> lines, int columns) {
        return new ColumnWidths(IntStream.range(0, columns)
                .mapToObj(column -> lines.stream()
                        .mapToInt(cells -> length(cells.get(column)))
                        .max()
                        .orElse(0))
                .toList());
    }

    int total() {
        return all.stream().mapToInt(Integer::intValue).sum() + GAP.length() * Math.max(0, all.size() - 1);
    }

    /** Takes from the widest until they fit, or until nothing more can be cut. */
    ColumnWidths cutTo(int most) {
        int[] widths = all.stream().mapToInt(Integer::intValue).toArray();
        for (int over = total() - most; over > 0; over--) {
            int widest = IntStream.range(0, widths.length)
                    .reduce((one, other) -> widths[other] > widths[one] ? other : one)
                    .orElseThrow();
            if (widths[widest] <= NOT_CUT) {
                break;
            }
            widths[widest]--;
        }
        return new ColumnWidths(IntStream.of(widths).boxed().toList());
    }

    /** A line of cells; {@code paint} takes a cell and what is shown of it. The last is not padded. */
    String line(List<String> cells, List<BinaryOperator<String>> paint) {
        return IntStream.range(0, cells.size())
                .mapToObj(column -> {
                    String shown = cut(cells.get(column), all.get(column));
                    return paint.get(column).apply(cells.get(column), shown)
                            + " ".repeat(all.get(column) - length(shown));
                })
                .collect(Collectors.joining(GAP))
                .stripTrailing();
    }

    private static String cut(String cell, int width) {
        if (length(cell) <= width) {
            return cell;
        }
        return cell.substring(0, cell.offsetByCodePoints(0, width - CUT.length())) + CUT;
    }

    static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
