package dev.leasehold.doctor;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** The oldest xmin: rows that died since then are kept, of whichever table, for whoever might still see them. */
final class HeldBackHorizon implements Check {

    /** Some minutes of a busy server; by then tables and indexes that are updated a lot have grown. */
    static final int FAR = 1_000_000;

    /** Half of the default of autovacuum_freeze_max_age, from which on vacuum is forced, and in vain. */
    static final int TOO_FAR = 100_000_000;

    private static final List<String> COLUMNS = List.of("holder", "database", "open", "behind");

    @Override
    public List<Finding> look(Sight sight) throws SQLException {
        return judge(HorizonHolder.all(sight), sight.questions().longTransaction());
    }

    static List<Finding> judge(List<HorizonHolder> holders, Duration longest) {
        List<HorizonHolder> told = holders.stream()
                .filter(holder -> holder.behind() >= FAR
                        || holder.open()
                                .filter(age -> age.compareTo(longest) >= 0)
                                .isPresent())
                .sorted(Comparator.comparing(HorizonHolder::behind).reversed())
                .toList();
        if (told.isEmpty()) {
            return List.of();
        }
        HorizonHolder furthest = told.get(0);
        return List.of(new Finding(
                FindingKind.HELD_BACK_HORIZON,
                furthest.behind() >= TOO_FAR ? Severity.PROBLEM : Severity.RISK,
                furthest.words() + " holds back the horizon by " + Words.count(furthest.behind(), "transaction")
                        + furthest.open()
                                .map(age -> ", open for " + Words.duration(age))
                                .orElse("")
                        + ": rows that died since cannot be removed",
                Words.table(COLUMNS, told.stream().map(HeldBackHorizon::row).toList()),
                "Vacuum leaves every row that died since, in every table of that database, in all databases for replication."
                        + " Tables and indexes grow, and reads of rows that are updated often become slow.",
                "End the session's transaction; commit or roll back what is prepared (`select * from pg_prepared_xacts;`);"
                        + " bring the standby or subscriber back, or drop its slot if it is gone for good (`select"
                        + " pg_drop_replication_slot(slot_name);`). Then vacuum does the rest."));
    }

    private static List<String> row(HorizonHolder holder) {
        return List.of(
                holder.words(),
                holder.database(),
                holder.open().map(Words::duration).orElse(""),
                Integer.toString(holder.behind()));
    }
}
