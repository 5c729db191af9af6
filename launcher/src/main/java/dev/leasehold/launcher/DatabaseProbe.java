package dev.leasehold.launcher;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** Asks a database once, within a few seconds, whether nodes could work with it; the answer is yes or one line. */
final class DatabaseProbe {

    /** A standby is read-only too, and the first column tells it apart; a row is always there. */
    private static final String READ_ONLY = """
            select pg_is_in_recovery(),
                   current_setting('transaction_read_only')::boolean
            """;

    private static final String SECONDS = "5";
    private static final String NO_ANSWER = "no answer within " + SECONDS + " seconds";

    private DatabaseProbe() {}

    static void check(DatabaseUrl url) {
        Properties properties = new Properties();
        url.user().ifPresent(user -> properties.setProperty("user", user));
        url.password().ifPresent(password -> properties.setProperty("password", password));
        properties.setProperty("connectTimeout", SECONDS);
        properties.setProperty("loginTimeout", SECONDS);
        properties.setProperty("socketTimeout", SECONDS);
        properties.setProperty("ApplicationName", "leasehold launcher");
        try (var connection = DriverManager.getConnection(url.jdbcUrl(), properties);
                var statement = connection.createStatement()) {
            checkTakesWrites(statement, url);
        } catch (SQLException e) {
            throw noUse(url, reason(e));
        }
    }

    private static void checkTakesWrites(Statement statement, DatabaseUrl url) throws SQLException {
        try (var rows = statement.executeQuery(READ_ONLY)) {
            rows.next();
            if (rows.getBoolean(1)) {
                throw noUse(url, "it is a standby, which takes no writes");
            }
            if (rows.getBoolean(2)) {
                throw noUse(url, "it is read-only (default_transaction_read_only is on)");
            }
        }
    }

    private static LaunchException noUse(DatabaseUrl url, String reason) {
        return LaunchException.wrongInput("no use of the database at " + url.place() + ": " + reason);
    }

    private static String reason(SQLException e) {
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownHostException) {
                return "the host name is unknown";
            }
            if (cause instanceof ConnectException) {
                return "nothing accepts connections there (" + oneLine(cause) + ")";
            }
            if (cause instanceof NoRouteToHostException) {
                return "there is no route to the host";
            }
            if (cause instanceof SocketTimeoutException) {
                return NO_ANSWER;
            }
        }
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        if (state.equals("08001") && e.getCause() == null) {
            return NO_ANSWER; // the login time-out of the driver
        }
        return switch (state) {
            case "28P01" -> "the password is wrong, or the user is unknown";
            case "28000" -> "the server refuses this user (" + oneLine(e) + ")";
            case "08004" -> "the server wants a password or refuses the connection (" + oneLine(e) + ")";
            case "3D000" -> "there is no such database";
            case "53300" -> "the server has no free connection";
            case "57P03" -> "the server is starting or ending";
            default ->
                state.startsWith("08")
                        ? "what answers there does not speak PostgreSQL's protocol (" + oneLine(e) + ")"
                        : oneLine(e) + " [" + state + "]";
        };
    }

    private static String oneLine(Throwable e) {
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return message.replaceAll("\\s+", " ").strip();
    }
}
