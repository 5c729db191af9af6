package dev.leasehold.doctor;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * An advisory lock that a session holds.
 *
 * @param isHere whether it is of this database: the keys of others are others, even with the same numbers
 * @param isInTransaction whether the session is in a transaction; one that is not holds it for the session
 */
record AdvisoryLock(int pid, AdvisoryKey key, boolean isHere, boolean isShared, boolean isInTransaction) {

    static List<AdvisoryLock> all(Sight sight) throws SQLException {
        return sight.rows(DoctorSql.ADVISORY_LOCKS, AdvisoryLock::read);
    }

    private static AdvisoryLock read(ResultSet row) throws SQLException {
        return new AdvisoryLock(
                row.getInt("pid"),
                AdvisoryKey.read(row),
                row.getBoolean("is_here"),
                row.getBoolean("is_shared"),
                row.getBoolean("is_in_transaction"));
    }
}
