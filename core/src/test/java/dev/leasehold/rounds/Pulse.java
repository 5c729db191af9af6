package dev.leasehold.rounds;

import dev.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Commits a row over and over, on a connection that has no part in leases, to know when the machine stood still: then nobody
 * else on it could do anything in time either. For tests that judge who was in time. Thread-safe.
 */
final class Pulse implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Connection connection;
    private final PreparedStatement beat;
    private final List<Instant> beats = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "pulse");
    private volatile boolean isOver;

    Pulse(TestDatabase database) throws SQLException {
        database.execute("create table pulse (beat bigint)");
        database.execute("insert into pulse values (0)");
        connection = database.connect();
        beat = connection.prepareStatement("update pulse set beat = beat + 1");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!isOver) {
                beat.executeUpdate();
                add(Instant.now());
                TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the pulse has ended", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void add(Instant moment) {
        beats.add(moment);
    }

    /** The times between two beats that were that long, at least. */
    synchronized List<Span> still(Duration atLeast) {
        var still = new ArrayList<Span>();
        for (int i = 1; i < beats.size(); i++) {
            var between = new Span(beats.get(i - 1), beats.get(i));
            if (between.length().compareTo(atLeast) >= 0) {
                still.add(between);
            }
        }
        return still;
    }

    /** A slot that began and ended before now. */
    boolean hadChance(Span slot, Duration enough) {
        return Span.longest(slot.without(still(enough.dividedBy(2)))).compareTo(enough) >= 0;
    }

    @Override
    public void close() throws SQLException {
        isOver = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        connection.close();
    }
}
