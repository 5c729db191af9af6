package dev.leasehold.doctor;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Text that others have written, such as names, queries and reasons: a line of it, for a terminal or a log. */
final class OneLine {

    private static final int MOST_CHARACTERS = 80;

    /** What would break the line, move the cursor or turn the direction of writing; and all kinds of space. */
    private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Z}]+");

    private OneLine() {}

    /** With a space for what is not to be seen; cut after 80 characters. */
    static String text(@Nullable String given) {
        return text(given, MOST_CHARACTERS);
    }

    static String text(@Nullable String given, int most) {
        if (given == null) {
            return "";
        }
        String line = UNSEEN.matcher(given).replaceAll(" ").strip();
        if (line.codePointCount(0, line.length()) <= most) {
            return line;
        }
        return line.substring(0, line.offsetByCodePoints(0, most - 1)) + "…";
    }

    /** As {@link #text(String, int)}, and spaces at the beginning stay. */
    static String indented(String given, int most) {
        int indent = 0;
        while (indent < given.length() && given.charAt(indent) == ' ') {
            indent++;
        }
        return given.substring(0, indent) + text(given.substring(indent), most);
    }

    static boolean isVisible(int codePoint) {
        return !UNSEEN.matcher(Character.toString(codePoint)).matches();
    }
}
