package dev.leasehold;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One statement on its way: borrowed for, sent, answered, or given up. What is given up before it is sent is never sent; a
 * connection that comes too late is closed. Thread-safe.
 */
final class Attempt<T> implements Callable<T> {

    /** What to run on a borrowed connection. */
    @FunctionalInterface
    interface Work<T> {
        T on(Connection connection, Attempt<T> attempt) throws SQLException;
    }

    private final DataSource dataSource;
    private final Duration socketBound;
    private final Work<T> work;
    private volatile @Nullable PreparedStatement statement;
    private @Nullable Thread borrower;
    private boolean sent;
    private boolean givenUp;

    Attempt(DataSource dataSource, Duration socketBound, Work<T> work) {
        this.dataSource = dataSource;
        this.socketBound = socketBound;
        this.work = work;
    }

    @Override
    public T call() throws SQLException {
        try (Connection connection = borrow()) {
            return SocketBound.within(socketBound, connection, () -> {
                try {
                    return work.on(connection, this);
                } finally {
                    statement = null;
                }
            });
        }
    }

    /** An attempt that is given up interrupts the wait for a connection, and nothing after it. */
    private Connection borrow() throws SQLException {
        synchronized (this) {
            if (givenUp) {
                throw new SQLException("given up before a connection was borrowed");
            }
            borrower = Thread.currentThread();
        }
        try {
            return dataSource.getConnection();
        } finally {
            synchronized (this) {
                borrower = null;
                Thread.interrupted();
            }
        }
    }

    /** Told by the thread that sends; false if it must not send any more. */
    synchronized boolean mayBeSent(PreparedStatement ready) {
        if (givenUp) {
            return false;
        }
        statement = ready;
        sent = true;
        return true;
    }

    /** Whether it still waits for a connection. */
    synchronized boolean isBorrowing() {
        return borrower != null;
    }

    /** Whether it was handed to the driver to send. */
    synchronized boolean wasSent() {
        return sent;
    }

    /** Whether the server may have seen it. */
    synchronized boolean giveUp() {
        givenUp = true;
        Thread waiting = borrower;
        if (waiting != null) {
            waiting.interrupt();
        }
        return sent;
    }

    /** Asks the server to stop what was sent; the answer, if there is one, no longer matters. */
    void cancel() {
        PreparedStatement pending = statement;
        if (pending != null) {
            try {
                pending.cancel();
            } catch (SQLException ignored) {
                // The socket's bound ends it too.
            }
        }
    }
}
