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

    private static final List<Column> COLUMNS =
            List.of(Column.text("holder"), Column.text("database"), Column.duration("open"), Column.number("behind"));

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
                furthest.words() + " holds back the horizon by " + Counted.text(furthest.behind(), "transaction")
                        + furthest.open()
                                .map(age -> ", open for " + Ages.text(age))
                                .orElse("")
                        + ": rows that died since cannot be removed",
                Evidence.of(COLUMNS, told.stream().map(HeldBackHorizon::row).toList()),
                "Vacuum has to leave those rows in every table of that database, and in all databases for replication: tables"
                        + " grow, and reads of rows that are updated often become slow.",
                furthest.end().then("Vacuum does the rest.")));
    }

    private static List<Object> row(HorizonHolder holder) {
        return List.of(holder.words(), holder.database(), Evidence.cell(holder.open()), holder.behind());
    }
}
