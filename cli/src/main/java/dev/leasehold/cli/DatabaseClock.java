package dev.leasehold.cli;

import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import javax.sql.DataSource;

/** The clock by which all instants in the lease table are meant. */
final class DatabaseClock {

    private DatabaseClock() {}

    /**
     * The database's now. Asked before all else, for it says best what is wrong with a connection.
     *
     * @throws CommandFailure if the database could not be asked
     */
    static Instant now(DataSource dataSource) {
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("select clock_timestamp()")) {
            row.next();
            return row.getObject(1, OffsetDateTime.class).toInstant();
        } catch (SQLException e) {
            throw new CommandFailure(ErrorCode.of(e), String.valueOf(e.getMessage()), e);
        }
    }
}
