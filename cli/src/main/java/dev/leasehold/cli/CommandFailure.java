package dev.leasehold.cli;

import org.jspecify.annotations.Nullable;

/** Ends a command with one line for people, and an exit code. */
final class CommandFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    CommandFailure(int exitCode, String line) {
        this(exitCode, line, null);
    }

    CommandFailure(int exitCode, String line, @Nullable Throwable cause) {
        super(line, cause);
        this.exitCode = exitCode;
    }

    /** The command line or the environment is wrong, or the database could not be asked. */
    static CommandFailure couldNotLook(String line) {
        return new CommandFailure(ExitCode.COULD_NOT_LOOK, line);
    }

    int exitCode() {
        return exitCode;
    }

    /** The line. */
    String line() {
        return String.valueOf(getMessage());
    }
}
