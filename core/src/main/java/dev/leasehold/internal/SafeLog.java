package dev.leasehold.internal;

import org.slf4j.Logger;

/**
 * Tells of what others have thrown, and throws nothing: a throwable may throw itself when it is asked for its message, and
 * would end the very loop that has caught it.
 */
public final class SafeLog {

    private SafeLog() {}

    /** As an error with its stack, or with the name of its class if it does not tell more. */
    public static void error(Logger log, String what, Throwable thrown) {
        try {
            log.error(what, thrown);
        } catch (Throwable unspeakable) {
            tell(() -> log.error("{}: {}", what, thrown.getClass().getName()));
        }
    }

    /** As {@link #error}, for who looks closely. */
    public static void debug(Logger log, String what, Throwable thrown) {
        try {
            log.debug(what, thrown);
        } catch (Throwable unspeakable) {
            tell(() -> log.debug("{}: {}", what, thrown.getClass().getName()));
        }
    }

    /** For what must go on though the log throws, as one does whose disk is full. */
    public static void tell(Runnable telling) {
        try {
            telling.run();
        } catch (Throwable hopeless) {
            // It is the log that throws: there is nobody left to tell.
        }
    }

    /** Its own message, or the name of its class. */
    public static String message(Throwable thrown) {
        try {
            return String.valueOf(thrown.getMessage());
        } catch (Throwable unspeakable) {
            return thrown.getClass().getName();
        }
    }
}
