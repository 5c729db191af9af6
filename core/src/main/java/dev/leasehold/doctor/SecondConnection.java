package dev.leasehold.doctor;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A connection that may not be to be had: the pool is empty, or the pooler has no more to give. It is borrowed and asked on a
 * thread of its own, for no longer than a bound; what comes late is given back by that thread.
 */
final class SecondConnection implements AutoCloseable {

    static final Duration BOUND = Duration.ofSeconds(3);

    private final Look.From from;
    private final Optional<Integer> handshake;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        var daemon = new Thread(work, "leasehold-doctor-second-connection");
        daemon.setDaemon(true);
        return daemon;
    });
    private volatile @Nullable Connection connection;
    private boolean isStuck;

    /** @param handshake of the first one, by which a source is known that has only one to hand out */
    SecondConnection(Look.From from, Optional<Integer> handshake) {
        this.from = from;
        this.handshake = handshake;
    }

    /** The process that serves it now; empty if it did not come or answer in time. */
    Optional<Integer> backendPid() {
        return within(thread.submit(this::ask));
    }

    private Integer ask() throws SQLException {
        Connection borrowed = connection;
        if (borrowed == null) {
            borrowed = from.dataSource().getConnection();
            if (handshake.isPresent() && handshake.equals(PgDriver.backendPid(borrowed))) {
                // not closed: its closing could end the first one
                throw new SQLException("the source hands out the same connection twice");
            }
            connection = borrowed;
        }
        Connection asked = borrowed;
        return NetworkBound.within(from.bound(), asked, () -> backendPid(asked));
    }

    private static Integer backendPid(Connection borrowed) throws SQLException {
        try (var statement = borrowed.createStatement();
                var row = statement.executeQuery(DoctorSql.BACKEND)) {
            row.next();
            return row.getInt("pid");
        } finally {
            if (!borrowed.getAutoCommit()) {
                borrowed.rollback();
            }
        }
    }

    private <T> Optional<T> within(Future<T> asked) {
        try {
            return Optional.ofNullable(asked.get(BOUND.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            return Optional.empty();
        } catch (TimeoutException e) {
            isStuck = true;
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            isStuck = true;
            return Optional.empty();
        }
    }

    /** One that does not answer is cut off. */
    @Override
    public void close() {
        Future<Boolean> closed = thread.submit(() -> {
            Connection borrowed = connection;
            if (borrowed != null) {
                borrowed.close();
            }
            return true;
        });
        thread.shutdown();
        if (!isStuck) {
            Optional<Boolean> unused = within(closed);
        }
        if (isStuck) {
            Connection stuck = connection;
            if (stuck != null) {
                abort(stuck);
            }
        }
    }

    private static void abort(Connection stuck) {
        try {
            stuck.abort(Runnable::run);
        } catch (SQLException e) {
            // it is closed already, or fails by itself
        }
    }
}
