package dev.leasehold;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Bounds the wait for a server that does not answer, for as long as something of the library's own is sent. */
final class SocketBound {

    private SocketBound() {}

    /** What is sent on the connection. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws SQLException;
    }

    /** Runs the work under that bound, and puts back the one the connection had. */
    static <T> T within(Duration bound, Connection connection, Work<T> work) throws SQLException {
        int before = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(Math.max(1, bound.toMillis())));
        try {
            return work.run();
        } finally {
            if (!connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, before);
            }
        }
    }
}
