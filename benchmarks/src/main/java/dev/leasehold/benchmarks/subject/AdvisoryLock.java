package dev.leasehold.benchmarks.subject;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** PostgreSQL's session-level advisory locks: nothing is written, and a connection is kept for as long as the lock. */
public final class AdvisoryLock implements Subject {

    public static final String LABEL = "advisory lock";

    @Override
    public String label() {
        return LABEL;
    }

    @Override
    public Optional<String> table() {
        return Optional.empty();
    }

    @Override
    public boolean renewsByItself() {
        return true;
    }

    @Override
    public void createTable(DataSource dataSource) {
        // The server keeps these in memory.
    }

    @Override
    public Contender contender(DataSource pool, Duration ttl) {
        return new Instance(pool);
    }

    private record Instance(DataSource pool) implements Contender {

        @Override
        public Optional<Hold> tryAcquire(String name) throws SQLException {
            Connection connection = pool.getConnection();
            boolean won = false;
            try {
                won = ask(connection, "select pg_try_advisory_lock(hashtextextended(?, 0))", name);
            } finally {
                if (!won) {
                    connection.close();
                }
            }
            return won ? Optional.of(new Session(connection, name)) : Optional.empty();
        }
    }

    private record Session(Connection connection, String name) implements Hold {

        @Override
        public void release() throws SQLException {
            try (connection) {
                if (!ask(connection, "select pg_advisory_unlock(hashtextextended(?, 0))", name)) {
                    throw new IllegalStateException("the lock is gone");
                }
            }
        }
    }

    private static boolean ask(Connection connection, String sql, String name) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            try (var rows = statement.executeQuery()) {
                rows.next();
                return rows.getBoolean(1);
            }
        }
    }
}
