package dev.leasehold.benchmarks.subject;

import java.sql.SQLException;
import javax.sql.DataSource;

/** One statement on a connection borrowed for it, in a transaction of its own: nothing a careful programmer could save. */
final class Statements {

    private Statements() {}

    static int update(DataSource pool, String sql, Object... parameters) throws SQLException {
        try (var connection = pool.getConnection();
                var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        }
    }

    static void requireOne(int rows) {
        if (rows != 1) {
            throw new IllegalStateException("the hold is gone: " + rows + " rows");
        }
    }
}
