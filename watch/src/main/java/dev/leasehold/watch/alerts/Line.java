package dev.leasehold.watch.alerts;

/** Text from outside, fit for one line of a log. */
final class Line {

    private static final int LONGEST = 500;

    private Line() {}

    static String of(String text) {
        String plain = text.replaceAll("[\\p{Cntrl}\\p{Cs}]+", " ").strip();
        return plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST) + "...";
    }
}
