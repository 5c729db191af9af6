package dev.leasehold.doctor;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Bounds the wait for an answer on a connection that the doctor asks: a server that is frozen or cut off keeps no bound itself. */
final class NetworkBound {

    private static final int UNCHANGED = -1;

    private NetworkBound() {}

    /** What is asked on the connection. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws SQLException;
    }

    /**
     * Puts back the bound that the connection had. A shorter one stays, and with a driver that has none the work is done without.
     */
    static <T> T within(Duration bound, Connection connection, Work<T> work) throws SQLException {
        int before = set(connection, Math.toIntExact(Math.max(1, bound.toMillis())));
        try {
            return work.run();
        } finally {
            if (before != UNCHANGED && !connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, before);
            }
        }
    }

    private static int set(Connection connection, int millis) {
        try {
            int before = connection.getNetworkTimeout();
            if (before > 0 && before <= millis) {
                return UNCHANGED;
            }
            connection.setNetworkTimeout(Runnable::run, millis);
            return before;
        } catch (SQLException | AbstractMethodError e) {
            return UNCHANGED; // what is asked next says whether the connection is any good
        }
    }
}
