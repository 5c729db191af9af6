package dev.leasehold.doctor;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One backend of the server. Its texts are fit to be shown.
 *
 * @param kind as PostgreSQL names it, such as {@code client backend}; empty if it is hidden and not known otherwise
 * @param isHidden whether this role may not see its state and query
 * @param open the age of its transaction
 * @param stateFor how long it has been in its state
 * @param behind how many transactions it holds back
 * @param port of its client; empty for a local one
 * @param connected how long ago
 */
record Session(
        int pid,
        boolean isOwn,
        String kind,
        Client client,
        SessionState state,
        boolean isHidden,
        Optional<Duration> open,
        Optional<Duration> stateFor,
        Optional<Integer> behind,
        Optional<Integer> port,
        Optional<Duration> connected,
        String query) {

    static final String HIDDEN = "hidden";

    private static final String HIDDEN_QUERY = "<insufficient privilege>";
    private static final String CLIENT_BACKEND = "client backend";

    /** Everybody, as of one instant: the server answers the same for the rest of a transaction. */
    static List<Session> all(Sight sight) throws SQLException {
        return sight.rows(DoctorSql.SESSIONS, Session::read);
    }

    private static Session read(ResultSet row) throws SQLException {
        String state = row.getString("state");
        String query = row.getString("query");
        boolean isHidden = state == null && HIDDEN_QUERY.equals(query);
        String address = row.getString("client");
        if (address == null) {
            address = isHidden ? "" : Client.LOCAL;
        }
        return new Session(
                row.getInt("pid"),
                row.getBoolean("is_own"),
                row.getString("kind"),
                new Client(
                        address,
                        OneLine.text(row.getString("application")),
                        OneLine.text(row.getString("role")),
                        OneLine.text(row.getString("database"))),
                SessionState.of(state),
                isHidden,
                duration(row, "open_seconds"),
                duration(row, "state_seconds"),
                Optional.ofNullable((Integer) row.getObject("behind")),
                Optional.ofNullable((Integer) row.getObject("port")).filter(port -> port > 0),
                duration(row, "connected_seconds"),
                isHidden || query == null ? "" : QueryText.shown(query));
    }

    /** Of a column of seconds. The server's clock may have been put back since. */
    static Optional<Duration> duration(ResultSet row, String column) throws SQLException {
        BigDecimal seconds = row.getBigDecimal(column);
        return seconds == null
                ? Optional.empty()
                : Optional.of(
                        Duration.ofNanos(Math.max(0, seconds.movePointRight(9).longValue())));
    }

    /** Whether it takes one of {@code max_connections}. What is hidden, in a database and of a user is a client, as good as always. */
    boolean isClient() {
        return CLIENT_BACKEND.equals(kind)
                || (isHidden && kind.isEmpty() && !client.database().isEmpty());
    }

    /** Its state, without since when. */
    String stateOrHidden() {
        return isHidden ? HIDDEN : state.words();
    }

    /** Its state and since when, within a sentence. */
    String stateWords() {
        return stateOrHidden() + stateFor.map(time -> " for " + Ages.text(time)).orElse("");
    }

    /** Who it is: the application, or what else of the server it is. */
    String who() {
        if (!isClient() && !kind.isEmpty()) {
            return kind;
        }
        return client.application().isEmpty() ? "user " + client.role() : client.application();
    }
}
