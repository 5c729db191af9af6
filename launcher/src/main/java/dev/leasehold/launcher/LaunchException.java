package dev.leasehold.launcher;

/** A start that can't go on; the message is one line for the person at the terminal. */
final class LaunchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final String line;

    private LaunchException(int exitCode, String line) {
        super(line);
        this.exitCode = exitCode;
        this.line = line;
    }

    /** Something that was asked for can't be had: exit code 2, like wrong options. */
    static LaunchException wrongInput(String line) {
        return new LaunchException(2, line);
    }

    static LaunchException failure(String line) {
        return new LaunchException(1, line);
    }

    String line() {
        return line;
    }

    int exitCode() {
        return exitCode;
    }
}
