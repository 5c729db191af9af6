package dev.leasehold;

import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The SQLSTATEs that decide something here, looked for along the cause chain (PostgreSQL, appendix A). */
enum SqlState {
    FEATURE_NOT_SUPPORTED("0A000"),
    ACTIVE_TRANSACTION("25001"),
    READ_ONLY_TRANSACTION("25006"),
    SERIALIZATION_FAILURE("40001"),
    LOCK_NOT_AVAILABLE("55P03"),
    QUERY_CANCELED("57014"),
    UNDEFINED_TABLE("42P01"),
    INSUFFICIENT_PRIVILEGE("42501"),
    IDLE_IN_TRANSACTION_TIMEOUT("25P03"),
    DUPLICATE_PREPARED_STATEMENT("42P05"),
    UNKNOWN_PREPARED_STATEMENT("26000"),
    DUPLICATE_TABLE("42P07"),
    UNIQUE_VIOLATION("23505");

    private static final List<String> NOT_OF_A_ROW =
            List.of("08", "25", "26", "28", "3D", "40", "42", "53", "57", "58");

    private final String code;

    SqlState(String code) {
        this.code = code;
    }

    boolean isIn(Throwable thrown) {
        return code.equals(of(thrown));
    }

    /**
     * Whether the server itself answered with an error, so that the statement surely had no effect. False for failures of
     * the connection, whose outcome is unknown.
     */
    static boolean isServerAnswer(Throwable thrown) {
        String state = of(thrown);
        return state != null && !state.startsWith("08") && !state.startsWith("57P");
    }

    /**
     * Whether trying again is in vain: the statement is not allowed or its table is not there (class 42), or the connection
     * is in somebody's transaction.
     */
    static boolean isForGood(Throwable thrown) {
        String state = of(thrown);
        return state != null && (state.startsWith("42") || ACTIVE_TRANSACTION.code.equals(state));
    }

    /** Whether a value could not be dealt with: class 22. */
    static boolean isOfData(Throwable thrown) {
        String state = of(thrown);
        return state != null && state.startsWith("22");
    }

    /**
     * Whether one row of several may be the reason of a server's answer, its values or a trigger: not of a statement that is
     * refused as a whole (class 42), a transaction that is not as it should be (25, 26, 40), or a server that can serve nobody
     * now (53, 57, 58) or not this role (28, 3D).
     */
    static boolean mayBeOfARow(Throwable thrown) {
        String state = of(thrown);
        return state != null && NOT_OF_A_ROW.stream().noneMatch(state::startsWith);
    }

    /** Whether a row breaks a rule of its table: class 23. */
    static boolean isOfConstraint(Throwable thrown) {
        String state = of(thrown);
        return state != null && state.startsWith("23");
    }

    private static @Nullable String of(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                return sql.getSQLState();
            }
        }
        return null;
    }
}
