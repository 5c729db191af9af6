package dev.leasehold.doctor;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What keeps dead rows from being removed.
 *
 * @param words who or what it is
 * @param database empty for all of them
 * @param open the age of its transaction, if it has one that may be seen
 * @param behind how many transactions have begun since the one whose rows it may still see
 */
record HorizonHolder(String words, String database, Optional<Duration> open, int behind, Remedy end) {

    /** A walsender's is told by its slot or as feedback; vacuum does not wait for vacuums. */
    private static final Set<String> OTHERS = Set.of("walsender", "autovacuum worker");

    private static final String VACUUM = "vacuum";

    static List<HorizonHolder> all(Sight sight) throws SQLException {
        var all = new ArrayList<HorizonHolder>();
        sight.sessions().forEach(session -> of(session).ifPresent(all::add));
        for (PreparedTransaction one : PreparedTransaction.all(sight)) {
            all.add(new HorizonHolder(
                    "prepared transaction " + one.name(),
                    one.database(),
                    Optional.of(one.open()),
                    one.behind(),
                    one.remedy()));
        }
        all.addAll(sight.rows(
                DoctorSql.REPLICATION_XMIN,
                row -> new HorizonHolder(
                        OneLine.text(row.getString("holder")),
                        OneLine.text(row.getString("database")),
                        Optional.empty(),
                        row.getInt("behind"),
                        replication(Optional.ofNullable(row.getString("unused_slot"))))));
        return all;
    }

    static Remedy replication(Optional<String> unusedSlot) {
        String back = "Bring the standby or subscriber up to date, or end its long transaction";
        return unusedSlot
                .map(slot -> Remedy.now(
                        back + "; or drop its slot, if it is gone for good.",
                        "select pg_drop_replication_slot(" + SqlText.literal(slot) + ");"))
                .orElseGet(() -> Remedy.now(back + "."));
    }

    static Optional<HorizonHolder> of(Session session) {
        boolean isVacuum = session.query().toLowerCase(Locale.ROOT).startsWith(VACUUM);
        if (session.isOwn() || isVacuum || OTHERS.contains(session.kind())) {
            return Optional.empty();
        }
        return session.behind()
                .map(behind -> new HorizonHolder(
                        "session " + session.pid() + " (" + session.who() + ", " + session.stateWords() + ")",
                        session.client().database(),
                        session.open(),
                        behind,
                        Remedy.now(
                                "Let its application end the transaction; or cut the session off, which rolls it back.",
                                SqlText.terminate(List.of(session.pid())))));
    }
}
