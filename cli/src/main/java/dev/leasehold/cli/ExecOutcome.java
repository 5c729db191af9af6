package dev.leasehold.cli;

import java.util.Locale;

/** What became of a command that was to be run under a lease. */
enum ExecOutcome {
    /** It ran to its end. */
    RAN,
    /** It was ended, for the lease was not known to be held any more. */
    ENDED_ON_LOSS,
    /** It was not run: another holds the lease. */
    BUSY,
    /** It was not run: the slot has had its run. */
    NOT_DUE,
    /** It was not run: an operator has paused the round. */
    PAUSED,
    /** It was not run: a signal came first. */
    SIGNALED,
    /** It was not run: there is no such command. */
    NOT_FOUND,
    /** It was not run, for it can't be. */
    NOT_EXECUTABLE,
    /** It was not run: the database is away, or something is wrong with the command line. */
    FAILED;

    /** The name for programs, such as {@code not-due}. */
    String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
