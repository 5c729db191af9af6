package dev.leasehold.cli;

/**
 * Colours text for a terminal, or leaves it as it is.
 *
 * @param isOn whether it colours
 */
record Paint(boolean isOn) {

    private static final String RESET = "\u001b[0m";

    String bold(String text) {
        return painted("1", text);
    }

    String faint(String text) {
        return painted("2", text);
    }

    String red(String text) {
        return painted("1;31", text);
    }

    String yellow(String text) {
        return painted("1;33", text);
    }

    String green(String text) {
        return painted("1;32", text);
    }

    String cyan(String text) {
        return painted("36", text);
    }

    private String painted(String code, String text) {
        return isOn ? "\u001b[" + code + "m" + text + RESET : text;
    }
}
