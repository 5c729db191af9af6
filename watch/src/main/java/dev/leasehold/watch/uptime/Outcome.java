package dev.leasehold.watch.uptime;

import java.util.Locale;

/** What one check says of a monitor. */
enum Outcome {
    /** The target answered with a final 2xx or 3xx. */
    UP,
    /** The target answered otherwise, or did not answer as it should in time. */
    DOWN,
    /** This node could not check: nothing is known of the target. */
    UNKNOWN;

    /** The word in the table. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
