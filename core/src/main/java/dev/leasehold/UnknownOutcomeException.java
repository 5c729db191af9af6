package dev.leasehold;

import java.sql.SQLException;

/** No answer came within the bound, or the caller was interrupted while it waited. */
final class UnknownOutcomeException extends SQLException {

    private static final long serialVersionUID = 1L;

    private final boolean sent;

    UnknownOutcomeException(String message, boolean sent) {
        super(message);
        this.sent = sent;
    }

    /** Whether the server may have seen the statement, and may still carry it out. */
    boolean sent() {
        return sent;
    }
}
