package dev.leasehold.doctor;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * A session that waits for a lock.
 *
 * @param blockers the process ids of those that hold it or are to have it first; {@link #PREPARED} for a prepared transaction
 * @param what it waits for
 */
record Wait(int pid, List<Integer> blockers, Duration age, String what) {

    static final int PREPARED = 0;

    static List<Wait> all(Sight sight, KeyNames names) throws SQLException {
        return sight.rows(DoctorSql.WAITS, row -> read(row, names));
    }

    private static Wait read(ResultSet row, KeyNames names) throws SQLException {
        var blockers = (Integer[]) row.getArray("blockers").getArray();
        return new Wait(
                row.getInt("pid"),
                Arrays.stream(blockers).distinct().sorted().toList(),
                Session.duration(row, "wait_seconds").orElse(Duration.ZERO),
                what(row, names));
    }

    private static String what(ResultSet row, KeyNames names) throws SQLException {
        String type = row.getString("locktype");
        String relation = row.getString("relation");
        String of = relation.isEmpty() ? "" : " of " + OneLine.text(relation);
        return switch (type) {
            case "transactionid" -> "a row, or the end of a transaction";
            case "virtualxid" -> "the end of a transaction";
            case "tuple" -> "a row" + of;
            case "advisory" -> "advisory lock " + key(row, names);
            case "relation" ->
                "table" + (of.isEmpty() ? "" : " " + OneLine.text(relation)) + ", " + row.getString("mode");
            default -> type + of + ", " + row.getString("mode");
        };
    }

    private static String key(ResultSet row, KeyNames names) throws SQLException {
        AdvisoryKey key = AdvisoryKey.read(row);
        return row.getBoolean("is_here") ? names.words(key) : key.toString();
    }
}
