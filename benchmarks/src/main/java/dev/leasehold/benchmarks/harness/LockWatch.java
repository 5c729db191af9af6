package dev.leasehold.benchmarks.harness;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Looks, every few milliseconds, which sessions of the server wait for a lock. */
public final class LockWatch implements AutoCloseable {

    private static final String WAITING = "select distinct pid from pg_locks where not granted";
    private static final int PAUSE_MILLIS = 3;

    private final Connection connection;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    public LockWatch(Server server) throws SQLException {
        this.connection = server.database().connect();
    }

    /** How many sessions were seen waiting while that was done. */
    public int countWaitingDuring(Callable<?> work) throws Exception {
        var seen = new HashSet<Integer>();
        Future<?> done = thread.submit(work);
        while (!done.isDone()) {
            look(seen);
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        done.get();
        return seen.size();
    }

    private void look(Set<Integer> seen) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(WAITING)) {
            while (rows.next()) {
                seen.add(rows.getInt(1));
            }
        }
    }

    @Override
    public void close() throws SQLException {
        thread.shutdownNow();
        connection.close();
    }
}
