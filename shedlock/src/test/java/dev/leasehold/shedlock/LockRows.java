package dev.leasehold.shedlock;

import dev.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;

/** What the lease table says of a lock, by the database's clock. */
record LockRows(TestDatabase database) {

    boolean isLocked(String name) {
        try {
            return database.queryForLong("select count(*) from leases where expires_at > clock_timestamp() and name = '"
                            + name + "'")
                    == 1;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A holder, or {@code -} where the name rests. */
    String holder(String name) throws SQLException {
        return String.valueOf(database.queryForString("select holder from leases where name = '" + name + "'"));
    }

    /** How long after its acquisition that is, such as {@code expires_at}. */
    Duration sinceTaken(String name, String moment) throws SQLException {
        return Duration.ofMillis(database.queryForLong("select (extract(epoch from " + moment
                + " - taken_at) * 1000)::bigint from leases where name = '" + name + "'"));
    }
}
