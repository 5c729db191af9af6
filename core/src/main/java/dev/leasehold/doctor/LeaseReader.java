package dev.leasehold.doctor;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads a lease table that is known to be one. */
final class LeaseReader {

    private LeaseReader() {}

    static LeaseCounts counts(Sight sight, Relation table) throws SQLException {
        return sight.rows(
                        table.fill(DoctorSql.LEASE_COUNTS),
                        row -> new LeaseCounts(
                                row.getLong("rows"),
                                row.getLong("held"),
                                row.getLong("resting"),
                                row.getLong("expired")))
                .get(0);
    }

    static List<LeaseOfNote> leases(Sight sight, Relation table) throws SQLException {
        return sight.rows(
                table.fill(DoctorSql.LEASES),
                row -> new LeaseOfNote(
                        row.getString("name"),
                        row.getString("holder"),
                        Optional.ofNullable(row.getObject("fence", Long.class)),
                        millis(row, "taken_millis_ago"),
                        millis(row, "left_millis"),
                        row.getBoolean("is_unreleased"),
                        row.getBoolean("is_round"),
                        row.getInt("deaths"),
                        Optional.ofNullable(row.getString("pause_reason"))));
    }

    static TableStatistics statistics(Sight sight, Relation table) throws SQLException {
        List<TableStatistics> read = sight.rows(
                DoctorSql.TABLE_STATISTICS,
                row -> new TableStatistics(
                        row.getLong("bytes"),
                        row.getLong("index_bytes"),
                        row.getLong("live_rows"),
                        row.getLong("dead_rows"),
                        row.getLong("updates"),
                        row.getLong("hot_updates"),
                        millis(row, "vacuumed_millis_ago"),
                        row.getInt("fillfactor"),
                        row.getBoolean("has_autovacuum"),
                        row.getBoolean("has_key")),
                table.oid());
        if (read.isEmpty()) {
            throw new SQLException("the table was dropped meanwhile", TableFindings.GONE);
        }
        return read.get(0);
    }

    static List<TableIndex> indexes(Sight sight, Relation table) throws SQLException {
        return sight.rows(
                DoctorSql.INDEXES,
                row -> new TableIndex(
                        row.getString("index"), Optional.ofNullable(row.getString("constraint")), List.of((String[])
                                row.getArray("columns").getArray())),
                table.oid());
    }

    static Optional<Duration> millis(ResultSet row, String column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
    }
}
