package dev.leasehold.doctor;

import java.sql.SQLException;
import java.util.List;

/**
 * A limit that one role or database has for itself.
 *
 * @param isRole else it is of a database
 */
record OwnLimit(boolean isRole, String name, int most) {

    static List<OwnLimit> all(Sight sight) throws SQLException {
        return sight.rows(
                DoctorSql.OWN_LIMITS,
                row -> new OwnLimit(row.getBoolean("is_role"), row.getString("name"), row.getInt("most")));
    }

    boolean counts(Client client) {
        return OneLine.text(name).equals(isRole ? client.role() : client.database());
    }

    String words() {
        return (isRole ? "role " : "database ") + OneLine.text(name);
    }

    /** SQL that doubles it. */
    String alter() {
        return "alter " + (isRole ? "role " : "database ") + SqlText.identifier(name) + " connection limit " + 2L * most
                + ";";
    }
}
