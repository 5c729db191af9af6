package dev.leasehold.doctor;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@link FindingKind#LEASE_TABLE}: what the table is, and whether renewals can be cheap. {@link BloatFindings} has its size. */
final class TableFindings {

    /** What an acquisition or a renewal changes. */
    private static final Set<String> CHANGING =
            Set.of("expires_at", "holder", "taken_at", "fence", "done_slot", "deaths");

    /** The SQLState of a table that is not there. */
    static final String GONE = "42P01";

    private static final String REFUSED = "42501";
    private static final int MOST_OF_ERROR = 300;

    private static final List<Column> LOCKER_COLUMNS = List.of(
            Column.number("pid"),
            Column.text("lock"),
            Column.text("role"),
            Column.text("application"),
            Column.text("state"),
            Column.duration("open"));

    private TableFindings() {}

    /**
     * A lease table that the search path does not reach.
     *
     * @param relation for SQL
     * @param name for {@link Doctor#withTable}
     */
    record Elsewhere(String relation, String schema, String name, boolean hasUsage) {}

    /** Nothing, where nobody expects a table. */
    static List<Finding> missing(Questions questions, List<Elsewhere> elsewhere, String role) {
        if (!elsewhere.isEmpty()) {
            Elsewhere first = elsewhere.get(0);
            return List.of(information(
                    "there is a lease table " + OneLine.text(first.relation()) + ", which the search path of "
                            + OneLine.text(role) + " does not reach",
                    Evidence.of(
                            Column.texts("table", "usage"),
                            elsewhere.stream()
                                    .map(one -> List.<Object>of(
                                            OneLine.text(one.relation()), one.hasUsage() ? "yes" : "no"))
                                    .toList()),
                    "Its leases were not looked at.",
                    first.hasUsage()
                            ? Remedy.now("Look again with " + option(first) + ".")
                            : Remedy.now(
                                    "Grant the use of its schema, then look again with " + option(first) + ".",
                                    grantUsage(first.schema(), role))));
        }
        if (!questions.isTableGiven()) {
            return List.of();
        }
        return List.of(
                information(
                        "there is no table " + OneLine.text(questions.table().quoted()),
                        Evidence.none(),
                        "No leases are kept there, in this database.",
                        Remedy.now(
                                "Leases.build() makes it at the first start. A name is taken as it is: mixed case is not folded.")));
    }

    private static String option(Elsewhere found) {
        return "the table " + OneLine.text(found.name()) + " (leasehold doctor --table, or Doctor.withTable)";
    }

    static Finding another(Relation relation) {
        return information(
                OneLine.text(relation.name()) + " is not a lease table: "
                        + OneLine.text(String.join(", ", relation.faults())),
                Evidence.none(),
                "It was not looked at. Leases cannot be kept there.",
                Remedy.now("If leases are kept elsewhere, look again with the name of their table."));
    }

    static Finding unreadable(Relation table, String role) {
        var grants = new ArrayList<String>();
        if (!table.hasUsage()) {
            grants.add(grantUsage(table.schema(), role));
        }
        if (!table.isReadableWithUsage()) {
            grants.add("grant select on " + table.name() + " to " + SqlText.identifier(role) + ";");
        }
        return information(
                "the lease table " + OneLine.text(table.name()) + " may not be read by " + OneLine.text(role),
                Evidence.none(),
                "Its leases were not looked at.",
                Remedy.now("Let its owner grant what is missing.", grants));
    }

    /**
     * Who keeps a table from being read.
     *
     * @param hasLock else it waits for it
     */
    record Locker(int pid, boolean hasLock, String role, String application, String state, Optional<Duration> open) {

        private List<Object> row() {
            return List.of(pid, hasLock ? "has it" : "waits", role, application, state, Evidence.cell(open));
        }
    }

    static Finding outOfReach(Relation table, List<Locker> lockers) {
        boolean isLocked = !lockers.isEmpty();
        return new Finding(
                FindingKind.LEASE_TABLE,
                isLocked ? Severity.PROBLEM : Severity.RISK,
                "the lease table " + OneLine.text(table.name())
                        + (isLocked ? " is locked: it cannot even be read" : " could not be read in time"),
                Evidence.of(LOCKER_COLUMNS, lockers.stream().map(Locker::row).toList()),
                isLocked
                        ? "No lease can be acquired, renewed or released: those that are held run out."
                        : "Somebody had it locked for a moment, or it has become too large to be read within 5 s.",
                isLocked
                        ? Remedy.now(
                                        "Let the transaction that has the lock end, or cut it off.",
                                        SqlText.terminate(List.of(lockers.get(0).pid())))
                                .forGood("Change the table with a lock_timeout.")
                        : Remedy.now("Look again."));
    }

    /** Whatever else came in between: the look goes on without its leases. */
    static Finding refused(Relation table, SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return new Finding(
                FindingKind.LEASE_TABLE,
                Severity.RISK,
                "the lease table " + OneLine.text(table.name()) + " could not be read",
                Evidence.of(
                        Column.texts("sqlstate", "error"),
                        List.of(List.of(state, OneLine.text(e.getMessage(), MOST_OF_ERROR)))),
                "Its leases were not looked at.",
                Remedy.now(
                        switch (state) {
                            case GONE -> "Look again: it was dropped or renamed meanwhile.";
                            case REFUSED ->
                                "Look again as the role of the application: a policy, or a privilege on what the"
                                        + " table is made of, keeps this one out.";
                            default -> "See the error, then look again as the role of the application.";
                        }));
    }

    static List<Finding> judge(Relation table, TableStatistics statistics, List<TableIndex> indexes) {
        var findings = new ArrayList<Finding>();
        if (!statistics.hasKey()) {
            findings.add(withoutKey(table));
        }
        List<TableIndex> changing = indexes.stream()
                .filter(index -> index.columns().stream().anyMatch(CHANGING::contains))
                .toList();
        if (!changing.isEmpty()) {
            findings.add(indexed(table, changing));
        }
        if (!statistics.hasAutovacuum()) {
            findings.add(withoutAutovacuum(table));
        }
        if (!table.missing().isEmpty()) {
            findings.add(older(table));
        } else if (statistics.fillfactor() == 100) {
            findings.add(full(table));
        }
        return findings;
    }

    private static Finding withoutKey(Relation table) {
        return new Finding(
                FindingKind.LEASE_TABLE,
                Severity.PROBLEM,
                "the lease table " + OneLine.text(table.name())
                        + " has neither a primary key nor a unique constraint on name",
                Evidence.none(),
                "Two holders can have a row each for the same name, and a new name cannot be acquired at all (42P10).",
                Remedy.now(
                        "Add the key, once no name is there twice.",
                        "alter table " + table.name() + " add primary key (name);"));
    }

    private static Finding indexed(Relation table, List<TableIndex> indexes) {
        TableIndex first = indexes.get(0);
        String drop = first.constraint()
                .map(constraint -> "alter table " + table.name() + " drop constraint " + constraint + ";")
                .orElse("drop index concurrently " + first.name() + ";");
        return new Finding(
                FindingKind.LEASE_TABLE,
                Severity.RISK,
                Counted.text(indexes.size(), indexes.size() == 1 ? "index" : "indexe") + " of the lease table depend"
                        + (indexes.size() == 1 ? "s" : "") + " on what acquisitions and renewals change",
                Evidence.of(
                        List.of(Column.text("index"), Column.list("columns")),
                        indexes.stream()
                                .map(index -> List.<Object>of(OneLine.text(index.name()), index.columns()))
                                .toList()),
                "Each renewal writes to every index of the table then, and leaves dead entries in it (its updates are not"
                        + " HOT). No statement on leases needs another index than the key.",
                Remedy.now("Drop it.", drop));
    }

    private static Finding withoutAutovacuum(Relation table) {
        return new Finding(
                FindingKind.LEASE_TABLE,
                Severity.RISK,
                "autovacuum is off for the lease table",
                Evidence.none(),
                "Each renewal leaves a dead row, and nothing removes those that cannot be reused at once: the table grows, and"
                        + " every statement on leases gets slower.",
                Remedy.now("Turn it on.", "alter table " + table.name() + " reset (autovacuum_enabled);"));
    }

    private static Finding older(Relation table) {
        return information(
                "the lease table " + OneLine.text(table.name()) + " is of an older form: it lacks "
                        + String.join(", ", table.missing()),
                Evidence.none(),
                "Programs that know only the older form work with it. Rounds and fences need the columns.",
                Remedy.now("Leases.build() adds them at the next start, unless the schema is somebody else's."));
    }

    private static Finding full(Relation table) {
        return information(
                "the pages of the lease table are filled to the brim (fillfactor is 100)",
                Evidence.none(),
                "A renewal finds no room beside the old row, and has to write to the index too.",
                Remedy.now("Leave room in new pages.", "alter table " + table.name() + " set (fillfactor = 50);"));
    }

    private static Finding information(String title, Evidence evidence, String meaning, Remedy remedy) {
        return new Finding(FindingKind.LEASE_TABLE, Severity.INFORMATION, title, evidence, meaning, remedy);
    }

    private static String grantUsage(String schema, String role) {
        return "grant usage on schema " + schema + " to " + SqlText.identifier(role) + ";";
    }
}
