package dev.leasehold.watch.mail;

import java.util.List;

/** Text of records, fit to be stored and shown. */
final class Shown {

    private static final int LONGEST = 4000;

    private Shown() {}

    /** Bytes that are not printable ASCII as {@code \ddd}, as zone files write them; bounded. */
    static String of(String text) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x20 && c < 0x7f) {
                shown.append(c);
            } else {
                shown.append(String.format("\\%03d", (int) c));
            }
            if (shown.length() > LONGEST) {
                return shown.append("...").toString();
            }
        }
        return shown.toString();
    }

    /** Several records, a line each. */
    static String of(List<String> texts) {
        return String.join("\n", texts.stream().map(Shown::of).toList());
    }
}
