package dev.leasehold;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Looks after the tables of one {@link Leases}, each on a connection of its own and no longer than a bound. */
record SchemaLook(DataSource dataSource, Lane lane) {

    private static final Duration BOUND = Duration.ofSeconds(30);

    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    void after(TableSchema schema, SchemaMode mode) throws SQLException {
        switch (mode) {
            case CREATE -> run(schema::create);
            case VALIDATE -> run(schema::validate);
            case NONE -> {
                // Nobody asked for a look.
            }
        }
    }

    private void run(Work work) throws SQLException {
        var attempt = new Attempt<>(dataSource, BOUND, (connection, self) -> {
            OwnTransaction.outsideTransactions(connection, () -> work.on(connection));
            return true;
        });
        lane.await(attempt, BOUND);
    }
}
