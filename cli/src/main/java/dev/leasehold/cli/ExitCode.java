package dev.leasehold.cli;

/** What the process says when it ends; {@code exec} has more of its own. */
final class ExitCode {

    /** All is well, or was done. */
    static final int WELL = 0;
    /** The doctor has found something, or there was nothing to do it to. */
    static final int FINDINGS = 1;
    /** The database could not be asked, or the command line is wrong. */
    static final int COULD_NOT_LOOK = 2;

    private ExitCode() {}
}
