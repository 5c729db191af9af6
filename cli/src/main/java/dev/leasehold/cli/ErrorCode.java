package dev.leasehold.cli;

import dev.leasehold.doctor.CouldNotLookException;
import java.util.Locale;
import java.util.Optional;

/** What kind of error ended a command, for programs: the {@code code} beside the {@code error} of {@code --json}. */
enum ErrorCode {
    /** The command line, the environment or a file of settings is wrong. */
    USAGE,
    /** No server answers there. */
    UNREACHABLE,
    /** Server and client do not agree on TLS, or a certificate is not trusted. */
    TLS,
    /** The server asks for another role, password or certificate, or lets nobody in from here. */
    AUTHENTICATION,
    /** The server has no database of that name. */
    NO_DATABASE,
    /** All connections of the server, of the database or of the role are in use. */
    NO_CONNECTION_LEFT,
    /** The role lacks a privilege. */
    PERMISSION,
    /** The server did not answer in time. */
    TIMEOUT,
    /** There is no lease table of that name. */
    NO_TABLE,
    /** The lease table lacks columns. */
    OLD_TABLE,
    /** There is no run history. */
    NO_HISTORY,
    /** Any other error of the database. */
    DATABASE,
    /** An error of this program. */
    INTERNAL;

    /** As programs see it. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static ErrorCode of(Throwable e) {
        if (e instanceof CommandFailure failure) {
            return failure.code();
        }
        Optional<NoConnection> noConnection = NoConnection.in(e);
        if (noConnection.isPresent()) {
            return noConnection.get().code();
        }
        Optional<String> state = LeaseOptions.sqlState(e);
        if (state.isPresent() || e instanceof CouldNotLookException) {
            return ofSqlState(state.orElse(""));
        }
        return e instanceof IllegalArgumentException ? USAGE : INTERNAL;
    }

    /**
     * By PostgreSQL's code, or its class.
     *
     * @see <a href="https://www.postgresql.org/docs/current/errcodes-appendix.html">PostgreSQL error codes</a>
     */
    static ErrorCode ofSqlState(String state) {
        return switch (state) {
            case "28000", "28P01" -> AUTHENTICATION;
            case "3D000" -> NO_DATABASE;
            case "42501" -> PERMISSION;
            case "53300" -> NO_CONNECTION_LEFT;
            case "55P03", "57014" -> TIMEOUT;
            case "57P01", "57P02", "57P03", "57P05" -> UNREACHABLE;
            default -> state.startsWith("08") ? UNREACHABLE : DATABASE;
        };
    }
}
