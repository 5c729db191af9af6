package dev.leasehold;

/** What a user can do about an error, where its SQLSTATE tells: appended to the message that reports it. */
final class Hint {

    private Hint() {}

    /** In parentheses, with a space before; empty if nothing is known. */
    static String of(Throwable thrown) {
        return of(thrown, TableShape.LEASES);
    }

    /** As {@link #of(Throwable)}, about a statement on that table. */
    static String of(Throwable thrown, TableShape table) {
        if (SqlState.UNDEFINED_TABLE.isIn(thrown)) {
            return " (is the " + table.kind() + " created, and on the search_path?)";
        }
        if (SqlState.INSUFFICIENT_PRIVILEGE.isIn(thrown)) {
            return " (the role needs usage on the schema, and select, insert and update on the " + table.kind() + ")";
        }
        if (SqlState.IDLE_IN_TRANSACTION_TIMEOUT.isIn(thrown)) {
            return " (a fenced transaction may be idle for a ttl at most)";
        }
        if (SqlState.DUPLICATE_PREPARED_STATEMENT.isIn(thrown) || SqlState.UNKNOWN_PREPARED_STATEMENT.isIn(thrown)) {
            return " (a pooler such as PgBouncer gives each transaction another server connection: add prepareThreshold=0"
                    + " to the JDBC URL)";
        }
        return "";
    }
}
