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
                OneLine.text(row.getString("database")),
                OneLine.text(row.getString("role")),
                Session.duration(row, "open_seconds").orElse(Duration.ZERO),
                row.getInt("behind"));
    }

    String name() {
        return OneLine.text(gid);
    }

    Remedy remedy() {
        return Remedy.now(
                "End it as its transaction manager decided: one of the two, in database " + database + ".",
                "commit prepared " + SqlText.literal(gid) + ";",
                "rollback prepared " + SqlText.literal(gid) + ";");
    }

    static Remedy remedy(List<PreparedTransaction> all) {
        return all.size() == 1
                ? all.get(0).remedy()
                : Remedy.now(
                        "Find the one that its transaction manager has forgotten, and end it in its database, with commit"
                                + " prepared or rollback prepared and its gid.",
                        "select gid, prepared, owner, database from pg_prepared_xacts order by prepared;");
    }
}
