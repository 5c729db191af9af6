package dev.leasehold.doctor;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A setting of the server, and for whom it has that value.
 *
 * @param value as PostgreSQL shows it, such as {@code 10min}
 * @param source as {@code pg_settings} names it: default, configuration file, global, database, user, database user, client, session
 * @param role empty for all roles
 * @param database empty for all databases
 * @param isMine whether it is of the session that looks
 * @param isInUse whether there are sessions of that role and database
 */
record Setting(
        String name, String value, String source, String role, String database, boolean isMine, boolean isInUse) {

    private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(us|ms|s|min|h|d|)");

    private static final Map<String, BigDecimal> MILLIS = Map.of(
            "us", new BigDecimal("0.001"),
            "ms", BigDecimal.ONE,
            "", BigDecimal.ONE,
            "s", BigDecimal.valueOf(1_000),
            "min", BigDecimal.valueOf(60_000),
            "h", BigDecimal.valueOf(3_600_000),
            "d", BigDecimal.valueOf(86_400_000));

    /** The value of a time-out, which is in milliseconds where it names no unit; empty if it is none, or is off. */
    Optional<Duration> timeout() {
        Matcher matcher = TIME.matcher(value.strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        BigDecimal unit = MILLIS.getOrDefault(matcher.group(2), BigDecimal.ONE);
        long millis = new BigDecimal(matcher.group(1))
                .multiply(unit)
                .setScale(0, RoundingMode.UP)
                .longValue();
        return Optional.of(Duration.ofMillis(millis)).filter(timeout -> !timeout.isZero());
    }

    boolean isOfRoleOrDatabase() {
        return Set.of("global", "database", "user", "database user").contains(source);
    }

    /** For sessions that begin later, or are of others. */
    Setting ofOthers() {
        return new Setting(name, value, source, role, database, false, isInUse);
    }

    /** Such as {@code for role app in database shop}. */
    String where() {
        if (isMine) {
            return "here (" + source + ")";
        }
        String roles = role.isEmpty() ? "for all roles" : "for role " + OneLine.text(role);
        return roles + (database.isEmpty() ? "" : " in database " + OneLine.text(database));
    }

    /** How to take it back, according to where it was set. */
    Remedy remedy(String harmless) {
        return switch (source) {
            case "global", "database", "user", "database user" ->
                Remedy.now(
                        "Take it back. Sessions that are open keep the old value.",
                        "alter " + owner() + " reset " + name + ";");
            case "client" ->
                Remedy.now(
                        "It was sent with the connection: look at its URL, at PGOPTIONS and at the settings of the pool.");
            case "session" ->
                Remedy.now(
                        "A statement set it in this session: look at what the pool runs on new connections. Behind a pooler it"
                                + " may have been another client.");
            case "command line", "environment variable" ->
                Remedy.now("It was given to the server when it was started (" + source
                        + "), and wins over its configuration file.");
            default ->
                Remedy.now(
                        "Set it for the whole server.",
                        "alter system set " + name + " = '" + harmless + "';",
                        "select pg_reload_conf();");
        };
    }

    private String owner() {
        return switch (source) {
            case "global" -> "role all";
            case "database" -> "database " + SqlText.identifier(database);
            case "user" -> "role " + SqlText.identifier(role);
            default -> "role " + SqlText.identifier(role) + " in database " + SqlText.identifier(database);
        };
    }
}
