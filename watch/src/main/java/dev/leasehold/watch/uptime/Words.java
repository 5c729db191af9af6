package dev.leasehold.watch.uptime;

/** Text for the detail of a result. */
final class Words {

    private static final int LONGEST = 300;

    private Words() {}

    /** A failure in a few words: what it says, or else its kind; bounded, and without control characters. */
    static String of(Throwable failure) {
        String message = failure.getMessage();
        return clean(message == null || message.isBlank() ? failure.getClass().getSimpleName() : message);
    }

    /** What came from outside, made fit to be stored (the table takes no U+0000) and shown. */
    static String clean(String text) {
        String plain = text.replaceAll("[\\p{Cntrl}\\p{Cs}]+", " ").strip();
        return plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST) + "...";
    }
}
