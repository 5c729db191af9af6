package dev.leasehold.doctor;

/**
 * Which server was looked at, and as whom. Immutable.
 *
 * @param version as the server tells it, such as {@code 18.4}
 * @param major the number before the point
 * @param database the name of the database that the session was in; sessions of all databases of the server were looked at
 * @param role the role that looked: what an ordinary one cannot see of others is told as a finding
 */
public record Server(String version, int major, String database, String role) {}
