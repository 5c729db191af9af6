package dev.leasehold.doctor;

import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * {@link FindingKind#LEASES}, {@link FindingKind#ROUNDS} and {@link FindingKind#LEASE_TABLE}. Asks the catalog first what it may
 * read: an error would end the transaction of the look, and the table may be another's of the same name.
 */
final class LeaseTableCheck implements Check {

    private static final Set<String> GIVEN_UP = Set.of("55P03", "57014");

    @Override
    public List<Finding> look(Sight sight) throws SQLException {
        Optional<Relation> relation = relation(sight);
        if (relation.isEmpty()) {
            return TableFindings.missing(
                    sight.questions(), elsewhere(sight), sight.server().role());
        }
        Relation found = relation.get();
        if (!found.faults().isEmpty()) {
            return List.of(TableFindings.another(found));
        }
        Savepoint beforeTheTable = sight.connection().setSavepoint();
        try {
            return look(sight, found);
        } catch (SQLException e) {
            sight.goOnFrom(beforeTheTable, e);
            if (!GIVEN_UP.contains(String.valueOf(e.getSQLState()))) {
                return List.of(TableFindings.refused(found, e));
            }
            return List.of(TableFindings.outOfReach(
                    found,
                    sight.rows(
                            DoctorSql.LOCKERS_OF_TABLE,
                            row -> new TableFindings.Locker(
                                    row.getInt("pid"),
                                    row.getBoolean("granted"),
                                    OneLine.text(row.getString("role")),
                                    OneLine.text(row.getString("application")),
                                    OneLine.text(row.getString("state")),
                                    LeaseReader.millis(row, "open_millis")),
                            found.oid())));
        }
    }

    private static List<Finding> look(Sight sight, Relation table) throws SQLException {
        var findings = new ArrayList<Finding>();
        TableStatistics statistics = LeaseReader.statistics(sight, table);
        Optional<Long> rows = Optional.empty();
        if (table.isReadable()) {
            LeaseCounts counts = LeaseReader.counts(sight, table);
            List<LeaseOfNote> leases = LeaseReader.leases(sight, table);
            rows = Optional.of(counts.rows());
            findings.addAll(LeaseFindings.judge(counts, leases));
            findings.addAll(RoundFindings.judge(leases));
        } else {
            findings.add(TableFindings.unreadable(table, sight.server().role()));
        }
        findings.addAll(TableFindings.judge(table, statistics, LeaseReader.indexes(sight, table)));
        findings.addAll(BloatFindings.judge(table, statistics, rows));
        return findings;
    }

    private static Optional<Relation> relation(Sight sight) throws SQLException {
        List<String> parts = sight.questions().table().parts();
        String schema = parts.size() == 2 ? parts.get(0) : "";
        return Relation.of(sight.rows(
                DoctorSql.RELATION,
                row -> new Relation.Column(
                        new Relation(
                                row.getLong("oid"),
                                row.getBoolean("is_table"),
                                row.getString("relation"),
                                row.getString("schema"),
                                row.getBoolean("has_usage"),
                                Map.of(),
                                Set.of()),
                        row.getString("column"),
                        row.getString("type"),
                        row.getBoolean("is_readable")),
                schema,
                schema,
                parts.get(parts.size() - 1)));
    }

    private static List<TableFindings.Elsewhere> elsewhere(Sight sight) throws SQLException {
        List<String> parts = sight.questions().table().parts();
        if (parts.size() == 2) {
            return List.of();
        }
        return sight.rows(
                DoctorSql.LEASE_TABLES_ELSEWHERE,
                row -> new TableFindings.Elsewhere(
                        row.getString("relation"),
                        row.getString("schema"),
                        row.getString("name"),
                        row.getBoolean("has_usage")),
                parts.get(0));
    }
}
