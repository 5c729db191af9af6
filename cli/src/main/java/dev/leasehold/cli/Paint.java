package dev.leasehold.cli;

/**
 * Colours text for a terminal, or leaves it as it is.
 *
 * @param isOn whether it colours
 */
record Paint(boolean isOn) {

    /** What a piece of text is, and so how it looks. */
    enum Tone {
        PLAIN(""),
        BOLD("1"),
        FAINT("2"),
        GOOD("32"),
        BAD("1;31"),
        WARNING("1;33"),
        NOTE("36");

        private final String code;

        Tone(String code) {
            this.code = code;
        }
    }

    private static final String RESET = "\u001b[0m";

    String in(Tone tone, String text) {
        return isOn && tone != Tone.PLAIN && !text.isEmpty() ? "\u001b[" + tone.code + "m" + text + RESET : text;
    }

    String bold(String text) {
        return in(Tone.BOLD, text);
    }

    String faint(String text) {
        return in(Tone.FAINT, text);
    }

    String red(String text) {
        return in(Tone.BAD, text);
    }
}
