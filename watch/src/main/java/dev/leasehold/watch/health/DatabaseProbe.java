package dev.leasehold.watch.health;

import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Borrows a connection as any request would, and asks the database for the simplest answer. */
final class DatabaseProbe {

    private final DataSource dataSource;
    private final Duration bound;

    DatabaseProbe(DataSource dataSource, Duration bound) {
        this.dataSource = dataSource;
        this.bound = bound;
    }

    /** Returns normally if the database answered. A connection that comes late is given back all the same. */
    boolean answers() throws SQLException {
        try (var connection = dataSource.getConnection()) {
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(bound.toMillis()));
            try (var statement = connection.createStatement();
                    var rows = statement.executeQuery("select 1")) {
                return rows.next();
            }
        }
    }
}
