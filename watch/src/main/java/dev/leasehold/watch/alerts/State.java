package dev.leasehold.watch.alerts;

import java.util.Locale;

/** The state of a monitor as it was last recorded. */
enum State {
    UP,
    DOWN;

    /** The word in the table. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static State of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
