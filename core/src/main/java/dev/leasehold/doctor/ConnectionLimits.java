package dev.leasehold.doctor;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * How many connections the server has. Those of replication and of its own processes are counted apart.
 *
 * @param superuserReserved of {@code superuser_reserved_connections}
 * @param reserved of {@code reserved_connections}, since PostgreSQL 16
 */
record ConnectionLimits(int max, int superuserReserved, int reserved) {

    static ConnectionLimits of(Sight sight) throws SQLException {
        return sight.rows(DoctorSql.CONNECTION_LIMITS, ConnectionLimits::read).get(0);
    }

    private static ConnectionLimits read(ResultSet row) throws SQLException {
        return new ConnectionLimits(
                row.getInt("max_connections"), row.getInt("superuser_reserved"), row.getInt("reserved"));
    }

    /** Those that an ordinary role can have. */
    int usable() {
        return Math.max(0, max - superuserReserved - reserved);
    }

    String words() {
        var kept = new ArrayList<>(List.of("max_connections is " + max));
        if (superuserReserved > 0) {
            kept.add(superuserReserved + " of them kept for superusers");
        }
        if (reserved > 0) {
            kept.add(reserved + " for roles with pg_use_reserved_connections");
        }
        return String.join(", ", kept);
    }
}
