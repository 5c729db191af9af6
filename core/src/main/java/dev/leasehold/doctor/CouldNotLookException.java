package dev.leasehold.doctor;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The database could not be asked: it is away, full, or refuses the role. The message is one line without a password. */
public final class CouldNotLookException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final String TOO_MANY_CONNECTIONS = "53300";

    private CouldNotLookException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    static CouldNotLookException because(SQLException e) {
        String said = String.valueOf(e.getMessage()).replaceAll("\\s+", " ").strip();
        if (TOO_MANY_CONNECTIONS.equals(e.getSQLState())) {
            return new CouldNotLookException(
                    "no connection is left: max_connections is used up, or a limit of the role or the database ("
                            + said
                            + "); the connections in superuser_reserved_connections, and in reserved_connections since"
                            + " PostgreSQL 16, are kept for this case: look again as a superuser, or as a role with"
                            + " pg_use_reserved_connections",
                    e);
        }
        return new CouldNotLookException("could not look: " + said, e);
    }
}
