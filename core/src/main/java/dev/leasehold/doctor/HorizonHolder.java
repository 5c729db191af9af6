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
record HorizonHolder(String words, String database, Optional<Duration> open, int behind) {

    /** A walsender's is told by its slot or as feedback; vacuum does not wait for vacuums. */
    private static final Set<String> OTHERS = Set.of("walsender", "autovacuum worker");

    private static final String VACUUM = "vacuum";

    static List<HorizonHolder> all(Sight sight) throws SQLException {
        var all = new ArrayList<HorizonHolder>();
        Session.all(sight).forEach(session -> of(session).ifPresent(all::add));
        for (PreparedTransaction one : PreparedTransaction.all(sight)) {
            all.add(new HorizonHolder(
                    "prepared transaction " + one.name(), one.database(), Optional.of(one.open()), one.behind()));
        }
        all.addAll(sight.rows(
                DoctorSql.REPLICATION_XMIN,
                row -> new HorizonHolder(
                        Words.name(row.getString("holder")),
                        Words.name(row.getString("database")),
                        Optional.empty(),
                        row.getInt("behind"))));
        return all;
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
                        behind));
    }
}
