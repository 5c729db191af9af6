package dev.leasehold.spring.database;

import java.util.Locale;
import java.util.Optional;

/**
 * What {@link DatabaseReadiness} answers. Immutable.
 *
 * @param isReady whether requests may come; true too for a failure that is tolerated
 * @param reason what is in the way; empty if nothing is
 * @param detail what is known of it, for people; empty without a reason
 * @param failures how many times in a row, this one included, it was found to be in the way
 */
public record Readiness(boolean isReady, Optional<Reason> reason, String detail, int failures) {

    /** What keeps an application from its database. */
    public enum Reason {
        /** Every connection of the pool is lent, and none came back in time. */
        POOL_EMPTY,
        /** No connection was to be had, or the one that was lent did not answer in time. */
        DATABASE_AWAY,
        /** The server answers, and accepts no writes: a standby, or {@code default_transaction_read_only}. */
        READ_ONLY,
        /** The server answered with another error. */
        DATABASE_ERROR;

        private final String words = name().toLowerCase(Locale.ROOT).replace('_', ' ');

        /** For people and for JSON: {@code pool empty}, {@code database away}, {@code read only}, {@code database error}. */
        public String words() {
            return words;
        }
    }
}
