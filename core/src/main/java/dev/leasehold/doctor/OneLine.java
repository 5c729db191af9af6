package dev.leasehold.doctor;

import org.jspecify.annotations.Nullable;

/** Text that others have written, such as names and reasons: a line of it, for a terminal or a log. */
final class OneLine {

    private static final int MOST_CHARACTERS = 80;

    private OneLine() {}

    /** Without what would break the line, move the cursor or turn the direction of writing; cut after 80 characters. */
    static String text(@Nullable String given) {
        if (given == null) {
            return "";
        }
        String line = given.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\s]+", " ")
                .strip();
        if (line.codePointCount(0, line.length()) <= MOST_CHARACTERS) {
            return line;
        }
        return line.substring(0, line.offsetByCodePoints(0, MOST_CHARACTERS - 1)) + "…";
    }
}
