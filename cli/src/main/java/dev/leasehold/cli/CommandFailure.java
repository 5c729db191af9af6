package dev.leasehold.cli;

import org.jspecify.annotations.Nullable;

/** Ends a command with one line for people, and a code for programs. */
final class CommandFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    CommandFailure(ErrorCode code, String line, @Nullable Throwable cause) {
        super(line, cause);
        this.code = code;
    }

    /** The command line or the environment is wrong. */
    static CommandFailure usage(String line) {
        return new CommandFailure(ErrorCode.USAGE, line, null);
    }

    ErrorCode code() {
        return code;
    }

    /** The line. */
    String line() {
        return String.valueOf(getMessage());
    }
}
