package dev.leasehold.doctor;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * The first half of a two-phase commit: it keeps its locks, and holds back the horizon, until somebody ends it.
 *
 * @param gid the name that it was given
 * @param behind how many transactions it holds back
 */
record PreparedTransaction(String gid, String database, String role, Duration open, int behind) {

    static List<PreparedTransaction> all(Sight sight) throws SQLException {
        return sight.rows(DoctorSql.PREPARED, PreparedTransaction::read);
    }

    private static PreparedTransaction read(ResultSet row) throws SQLException {
        return new PreparedTransaction(
                row.getString("gid"),
                Words.name(row.getString("database")),
                Words.name(row.getString("role")),
                Session.duration(row, "open_seconds").orElse(Duration.ZERO),
                row.getInt("behind"));
    }

    String name() {
        return Words.name(gid);
    }

    static String remedy(List<PreparedTransaction> all) {
        if (all.size() == 1) {
            String gid = "'" + all.get(0).name().replace("'", "''") + "'";
            return "`commit prepared " + gid + ";` or `rollback prepared " + gid
                    + ";`, as its transaction manager decided.";
        }
        return "`select gid, prepared, owner, database from pg_prepared_xacts;` shows them, and `commit prepared` or"
                + " `rollback prepared` with the gid ends one, as its transaction manager decided.";
    }
}
