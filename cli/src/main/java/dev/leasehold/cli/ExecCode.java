package dev.leasehold.cli;

/** What {@code exec} ends with where it is not the exit code of its command. */
final class ExecCode {

    /** The command was not run: another holds the lease, the slot has had its run, or the round is paused. */
    static final int NOT_RUN = 75;
    /** The command was ended, for the lease was not known to be held any more. */
    static final int ENDED_ON_LOSS = 124;
    /** {@code exec} itself failed, before the command began. */
    static final int FAILED = 125;
    /** The command is there, but can't be run. */
    static final int NOT_EXECUTABLE = 126;
    /** There is no such command. */
    static final int NOT_FOUND = 127;
    /** And the number of a signal: that ended the command, or {@code exec} before the command began. */
    static final int BY_SIGNAL = 128;

    private ExecCode() {}
}
