package dev.leasehold.doctor;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a database cannot be asked, by SQLState, and what to do.
 *
 * @see <a href="https://www.postgresql.org/docs/current/errcodes-appendix.html">PostgreSQL error codes</a>
 */
final class Refusal {

    static final String NOTHING_TO_LEND =
            "the pool gave no connection within its time: all of its connections are in use";

    static final String UNKNOWN = "could not look";

    private static final String CONNECTION_EXCEPTIONS = "08";

    private Refusal() {}

    static Optional<String> advice(@Nullable String sqlState) {
        if (sqlState == null) {
            return Optional.empty();
        }
        return switch (sqlState) {
            case "53300" ->
                Optional.of("no connection is left: max_connections is used up, or the limit of the role or the"
                        + " database; superuser_reserved_connections, and reserved_connections since PostgreSQL 16, keep some"
                        + " for this case: look again as a superuser, or as a role with pg_use_reserved_connections");
            case "28P01" -> Optional.of("the password is wrong or missing: give the role's password");
            case "28000" ->
                Optional.of("the role does not exist, or may not connect from here: see the role, and"
                        + " pg_hba.conf of the server");
            case "3D000" -> Optional.of("the database does not exist: see its name in the URL");
            case "57P03" ->
                Optional.of("the server takes no connections now, as it starts, stops, or recovers without"
                        + " hot_standby: look again in a moment, or at another server");
            case "57P01", "57P02", "57P05" ->
                Optional.of(
                        "the session was ended by the server, which stops, or by an" + " administrator: look again");
            case "25001" ->
                Optional.of("the DataSource handed out a connection that is in a transaction already: give the"
                        + " doctor the DataSource below the proxy that joins transactions");
            case "55000" -> Optional.of("the database takes no connections: see datallowconn in pg_database");
            case "42501" -> Optional.of("the role lacks a privilege: grant it, or look as another role");
            case "57014", "55P03" ->
                Optional.of("the server did not answer within the bounds of a look, 5 seconds a"
                        + " statement: look again when it has less to do");
            case "08004" -> Optional.of("the server, or a pooler before it, refused the connection: see its log");
            case "08P01" ->
                Optional.of("what answers there is no PostgreSQL server, or a pooler that refuses: see the host"
                        + " and port, and the pooler's log");
            default ->
                sqlState.startsWith(CONNECTION_EXCEPTIONS)
                        ? Optional.of(
                                "the server is away or cannot be reached: see the host and port, and whether it runs")
                        : Optional.empty();
        };
    }
}
