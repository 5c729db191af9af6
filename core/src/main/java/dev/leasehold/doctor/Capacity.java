package dev.leasehold.doctor;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How many connections a server has for a role in a database, and how many are in use. Immutable.
 *
 * @param maxConnections of {@code max_connections}
 * @param superuserReserved of {@code superuser_reserved_connections}
 * @param reserved of {@code reserved_connections}, since PostgreSQL 16; 0 before
 * @param database that was asked
 * @param databaseLimit its own, if it has one
 * @param role that is to connect, taken for an ordinary one
 * @param roleLimit its own, if it has one that binds it
 * @param connected to the server now, without the look itself
 * @param connectedToDatabase those of them to that database
 * @param connectedAsRole those of them as that role, to whatever database
 */
public record Capacity(
        int maxConnections,
        int superuserReserved,
        int reserved,
        String database,
        Optional<Integer> databaseLimit,
        String role,
        Optional<Integer> roleLimit,
        int connected,
        int connectedToDatabase,
        int connectedAsRole) {

    static Capacity ofOwnRole(Sight sight) throws SQLException {
        return of(sight, sight.server().role());
    }

    static Capacity of(Sight sight, String role) throws SQLException {
        ConnectionLimits limits = ConnectionLimits.of(sight);
        List<Capacity> found = sight.rows(DoctorSql.ROLE_IN_DATABASE, row -> read(row, limits), role);
        if (found.isEmpty()) {
            throw new IllegalArgumentException("the server has no role \"" + role + "\"");
        }
        return found.get(0);
    }

    private static Capacity read(ResultSet row, ConnectionLimits limits) throws SQLException {
        return new Capacity(
                limits.max(),
                limits.superuserReserved(),
                limits.reserved(),
                row.getString("database"),
                limit(row.getInt("database_limit")),
                row.getString("role"),
                limit(row.getInt("role_limit")),
                row.getInt("connected"),
                row.getInt("connected_to_database"),
                row.getInt("connected_as_role"));
    }

    private static Optional<Integer> limit(int stored) {
        return stored < 0 ? Optional.empty() : Optional.of(stored);
    }

    /** How many connections the role can have in the database, if nobody else has one: the least of all limits. */
    public int usable() {
        int ofServer = ofServer().usable();
        return Math.min(ofServer, Math.min(databaseLimit.orElse(ofServer), roleLimit.orElse(ofServer)));
    }

    /** What it comes from, in one line for people. */
    public String words() {
        var parts = new ArrayList<>(List.of(ofServer().words()));
        databaseLimit.ifPresent(limit -> parts.add("database " + database + " has a limit of " + limit));
        roleLimit.ifPresent(limit -> parts.add("role " + role + " has a limit of " + limit));
        return String.join(", ", parts);
    }

    private ConnectionLimits ofServer() {
        return new ConnectionLimits(maxConnections, superuserReserved, reserved);
    }
}
