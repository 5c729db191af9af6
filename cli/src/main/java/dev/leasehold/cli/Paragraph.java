package dev.leasehold.cli;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines at its spaces. Its own line breaks stay, as does the white space at the begin of such a line. */
final class Paragraph {

    private static final int NARROWEST = 20;

    private Paragraph() {}

    /** No line is wider than that, unless a word is. */
    static List<String> lines(String text, int width) {
        int most = Math.max(width, NARROWEST);
        List<String> lines = new ArrayList<>();
        text.lines().forEach(line -> lines.addAll(broken(line.stripTrailing(), most)));
        return lines;
    }

    private static List<String> broken(String line, int most) {
        List<String> lines = new ArrayList<>();
        String rest = line;
        while (rest.length() > most) {
            int indent = rest.length() - rest.stripLeading().length();
            int space = rest.lastIndexOf(' ', most);
            if (space <= indent) {
                space = rest.indexOf(' ', most);
            }
            if (space < 0) {
                break;
            }
            lines.add(rest.substring(0, space).stripTrailing());
            rest = " ".repeat(indent) + rest.substring(space).stripLeading();
        }
        lines.add(rest);
        return lines;
    }
}
