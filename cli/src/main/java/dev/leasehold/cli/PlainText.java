package dev.leasehold.cli;

import java.util.regex.Pattern;

/**
 * Makes text of others harmless: names, holders and queries may hold line breaks, and escapes that a terminal obeys. Each sign
 * that is not to be seen is replaced.
 */
final class PlainText {

    /**
     * Control signs, line separators, and signs of format: those that turn the direction of writing, have no width, or carry tags.
     * Two names that look alike are to be alike.
     */
    private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cf}]");

    static final Pattern UNSEEN_BUT_LINE_BREAKS = Pattern.compile("(?!\\n)" + UNSEEN.pattern());

    private static final Pattern UNSEEN_BUT_WHITE_SPACE = Pattern.compile("(?![\\n\\t])" + UNSEEN.pattern());

    private static final String REPLACEMENT = "\uFFFD";

    private PlainText() {}

    /** As one line; an indent stays. White space between lines becomes one space. */
    static String inALine(String text) {
        return UNSEEN.matcher(
                        text.stripTrailing().replaceAll("\\s*[\\r\\n]\\s*", " ").replace('\t', ' '))
                .replaceAll(REPLACEMENT);
    }

    /** With its line breaks. */
    static String inLines(String text) {
        return UNSEEN_BUT_LINE_BREAKS
                .matcher(text.strip().replace("\r\n", "\n").replace('\t', ' '))
                .replaceAll(REPLACEMENT);
    }

    /** With its white space as it is: DDL and stack traces. */
    static String asItIs(String text) {
        return UNSEEN_BUT_WHITE_SPACE.matcher(text.replace("\r\n", "\n")).replaceAll(REPLACEMENT);
    }
}
