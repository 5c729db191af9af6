package dev.leasehold.doctor;

import static dev.leasehold.doctor.Column.duration;
import static dev.leasehold.doctor.Column.number;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@link FindingKind#LEASE_TABLE}: dead rows and size. */
final class BloatFindings {

    /** Below them nothing is told: a scan of so little takes milliseconds. */
    static final long FEW_DEAD_ROWS = 10_000;

    static final long FEW_BYTES = 8L * 1024 * 1024;

    /** Dead rows for each live one. Renewals leave one each, and those are reused. */
    static final long MANY_DEAD_ROWS = 10;

    /** A page: a row is a few hundred bytes, and has as much room beside it. */
    static final long MANY_BYTES_OF_A_ROW = 8192;

    private static final long FEWEST_BYTES_OF_A_ROW = 64;

    static final long ENOUGH_UPDATES = 10_000;

    private BloatFindings() {}

    /** @param rows as counted, if they could be */
    static List<Finding> judge(Relation table, TableStatistics statistics, Optional<Long> rows) {
        long live = Math.max(1, rows.orElse(statistics.liveRows()));
        var findings = new ArrayList<Finding>();
        long dead = dead(statistics);
        if (dead >= FEW_DEAD_ROWS && dead / live >= MANY_DEAD_ROWS) {
            findings.add(finding(
                    Counted.text(dead, "dead row") + " in the lease table, for "
                            + Counted.text(rows.orElse(statistics.liveRows())) + " live",
                    statistics,
                    "Every statement on leases passes by them. Vacuum does not run, or an old transaction, a prepared one or a"
                            + " replication slot might still see them.",
                    Remedy.now(
                            "End what holds them back (see the oldest transactions), then vacuum.",
                            "vacuum " + table.name() + ";")));
        }
        if (statistics.bytes() >= FEW_BYTES && statistics.bytes() / live >= MANY_BYTES_OF_A_ROW) {
            findings.add(finding(
                    "the lease table has " + Counted.bytes(statistics.bytes()) + " for "
                            + Counted.text(rows.orElse(statistics.liveRows()), "row"),
                    statistics,
                    "It was once full of dead rows, and does not shrink by itself. Whatever reads it as a whole, as its"
                            + " vacuum does, reads all of that.",
                    Remedy.now(
                            "Write it anew. The table is locked meanwhile, for a moment where there are few rows; repeat it if"
                                    + " the lock does not come.",
                            "set lock_timeout = '1s';",
                            "vacuum (full, analyze) " + table.name() + ";")));
        }
        if (statistics.indexBytes() >= FEW_BYTES && statistics.indexBytes() / live >= MANY_BYTES_OF_A_ROW) {
            findings.add(finding(
                    "the indexes of the lease table have " + Counted.bytes(statistics.indexBytes()) + " for "
                            + Counted.text(rows.orElse(statistics.liveRows()), "row"),
                    statistics,
                    "They were once full of names that are gone, or of dead entries, and do not shrink by themselves.",
                    Remedy.now(
                            "Build them anew, beside the work.", "reindex table concurrently " + table.name() + ";")));
        }
        if (statistics.updates() >= ENOUGH_UPDATES && statistics.hotUpdates() * 2 < statistics.updates()) {
            findings.add(finding(
                    Counted.text(statistics.updates() - statistics.hotUpdates()) + " of "
                            + Counted.text(statistics.updates(), "update") + " of the lease table were not HOT",
                    statistics,
                    "They wrote to the indexes too, and left dead entries there: an index stands in the way, the pages are"
                            + " too full, or dead rows are held back.",
                    Remedy.now(
                            "Give the pages room, drop every index but the key, and leave no transaction open for long. Then"
                                    + " count anew.",
                            "alter table " + table.name() + " set (fillfactor = 50);",
                            "select pg_stat_reset_single_table_counters(" + SqlText.literal(table.name())
                                    + "::regclass);")));
        }
        return findings;
    }

    /** As counted, and no more than there is room for: a {@code vacuum full} leaves the count as it was. */
    private static long dead(TableStatistics statistics) {
        return Math.min(statistics.deadRows(), statistics.bytes() / FEWEST_BYTES_OF_A_ROW);
    }

    private static Finding finding(String title, TableStatistics statistics, String meaning, Remedy remedy) {
        return new Finding(
                FindingKind.LEASE_TABLE,
                Severity.RISK,
                title,
                Evidence.of(
                        List.of(
                                number("bytes"),
                                number("index_bytes"),
                                number("live"),
                                number("dead"),
                                number("updates"),
                                number("hot"),
                                duration("vacuumed_ago")),
                        List.of(List.of(
                                statistics.bytes(),
                                statistics.indexBytes(),
                                statistics.liveRows(),
                                statistics.deadRows(),
                                statistics.updates(),
                                statistics.hotUpdates(),
                                Evidence.cell(statistics.vacuumed())))),
                meaning,
                remedy);
    }
}
