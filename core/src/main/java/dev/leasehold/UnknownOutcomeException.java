package dev.leasehold;

import dev.leasehold.internal.SafeLog;
import java.sql.SQLException;

/** No answer came, or none within the bound, or the caller was interrupted while it waited. */
final class UnknownOutcomeException extends SQLException {

    private static final long serialVersionUID = 1L;

    private final boolean sent;

    UnknownOutcomeException(String message, boolean sent) {
        super(message);
        this.sent = sent;
    }

    /** Nothing was sent, because of that. */
    static UnknownOutcomeException notSent(Throwable cause) {
        var notSent = new UnknownOutcomeException(SafeLog.message(cause), false);
        notSent.initCause(cause);
        return notSent;
    }

    /** Whether what failed with that may have been carried out all the same, or may still be. */
    static boolean mayHaveLanded(SQLException e) {
        return e instanceof UnknownOutcomeException unknown ? unknown.sent() : !SqlState.isServerAnswer(e);
    }

    /** Whether the server may have seen the statement, and may still carry it out. */
    boolean sent() {
        return sent;
    }
}
