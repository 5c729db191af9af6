package dev.leasehold;

/** What was thrown, as text that PostgreSQL can keep: what it cannot is escaped as in Java, and the end is cut. */
final class ErrorText {

    private static final int MOST_CHARACTERS = 2_000;
    private static final int LAST_OF_ASCII = 0x7F;

    private ErrorText() {}

    /** Without U+0000 and lone surrogates, 2,000 characters (code points) at most. */
    static String kept(String text) {
        return escaped(text, Character.MAX_CODE_POINT);
    }

    /** The same for a database whose encoding has not all characters. */
    static String inAscii(String text) {
        return escaped(text, LAST_OF_ASCII);
    }

    private static String escaped(String text, int last) {
        var kept = new StringBuilder();
        int characters = 0;
        for (int codePoint : text.codePoints().limit(MOST_CHARACTERS).toArray()) {
            String written = canBeKept(codePoint, last) ? Character.toString(codePoint) : escape(codePoint);
            characters += written.codePointCount(0, written.length());
            if (characters > MOST_CHARACTERS) {
                break;
            }
            kept.append(written);
        }
        return kept.toString();
    }

    private static boolean canBeKept(int codePoint, int last) {
        boolean isLoneSurrogate = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
        return codePoint != 0 && codePoint <= last && !isLoneSurrogate;
    }

    private static String escape(int codePoint) {
        var escape = new StringBuilder();
        for (char unit : Character.toChars(codePoint)) {
            escape.append(String.format("\\u%04X", (int) unit));
        }
        return escape.toString();
    }
}
