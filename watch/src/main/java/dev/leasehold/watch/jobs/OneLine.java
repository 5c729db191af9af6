package dev.leasehold.watch.jobs;

/** Text from outside on one line, fit to be stored (a text in PostgreSQL takes no U+0000), logged and shown. */
public final class OneLine {

    private static final int LONGEST = 500;

    private OneLine() {}

    /** Without control characters and lone surrogates; bounded. */
    public static String of(String text) {
        String plain = text.replaceAll("[\\p{Cntrl}\\p{Cs}]+", " ").strip();
        return plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST) + "...";
    }

    /** A failure in a few words: what it says, or else its kind. */
    public static String of(Throwable failure) {
        String message = failure.getMessage();
        return of(message == null || message.isBlank() ? failure.getClass().getSimpleName() : message);
    }
}
