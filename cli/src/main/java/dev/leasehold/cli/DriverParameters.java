package dev.leasehold.cli;

import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Turns libpq's parameters into the JDBC driver's. One that the driver has nothing like is left out where that changes nothing
 * but a speed or a time-out of the operating system's, and refused where it would change what is trusted.
 *
 * @see <a href="https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS">parameters of libpq</a>
 */
final class DriverParameters {

    /** Where to go and who asks: names of libpq that {@link ConnectionSettings} takes care of. */
    static final Set<String> OF_THE_PLACE =
            Set.of("host", "hostaddr", "port", "dbname", "passfile", "connect_timeout", "fallback_application_name");

    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("application_name", "ApplicationName"),
            Map.entry("channel_binding", "channelBinding"),
            Map.entry("gssencmode", "gssEncMode"),
            Map.entry("krbsrvname", "kerberosServerName"),
            Map.entry("require_auth", "requireAuth"),
            Map.entry("sslnegotiation", "sslNegotiation"));

    private static final Map<String, Map<String, String>> VALUES = Map.of(
            "keepalives", Map.of("0", "tcpKeepAlive=false", "1", "tcpKeepAlive=true"),
            "load_balance_hosts", Map.of("disable", "loadBalanceHosts=false", "random", "loadBalanceHosts=true"),
            "target_session_attrs",
                    Map.of(
                            "any", "targetServerType=any",
                            "read-write", "targetServerType=primary",
                            "primary", "targetServerType=primary",
                            "read-only", "targetServerType=secondary",
                            "standby", "targetServerType=secondary",
                            "prefer-standby", "targetServerType=preferSecondary"),
            "sslcertmode", Map.of("allow", ""),
            "sslsni", Map.of("1", ""),
            "gssdelegation", Map.of("0", ""),
            "ssl_min_protocol_version", Map.of("TLSv1", "", "TLSv1.1", "", "TLSv1.2", ""));

    private static final Set<String> WITHOUT_EFFECT = Set.of(
            "client_encoding",
            "keepalives_count",
            "keepalives_idle",
            "keepalives_interval",
            "max_protocol_version",
            "min_protocol_version",
            "requirepeer",
            "sslcompression",
            "tcp_user_timeout");

    /**
     * That the driver has nothing like. No other unknown name is told: after an {@code &} that should have been escaped it is a
     * piece of a password.
     */
    private static final Set<String> WITHOUT_MATCH = Set.of(
            "gsslib",
            "scram_client_key",
            "scram_server_key",
            "servicefile",
            "ssl_max_protocol_version",
            "sslcrl",
            "sslcrldir",
            "sslkeylogfile");

    private DriverParameters() {}

    /** The driver's, and those of the place as they are; {@code source} is where they were found, for errors. */
    static Map<String, String> of(Map<String, String> parameters, String source) {
        var translated = new LinkedHashMap<String, String>();
        parameters.forEach((name, value) -> {
            if (VALUES.containsKey(name)) {
                String[] pair = value(VALUES.getOrDefault(name, Map.of()), name, value, source)
                        .split("=", -1);
                if (pair.length == 2) {
                    translated.put(pair[0], pair[1]);
                }
            } else if (NAMES.containsKey(name)) {
                translated.put(NAMES.get(name), value);
            } else if (OF_THE_PLACE.contains(name) || Known.BY_DRIVER.contains(name)) {
                translated.put(name, value);
            } else if (!WITHOUT_EFFECT.contains(name)) {
                throw CommandFailure.usage(
                        source + (WITHOUT_MATCH.contains(name) ? ": the parameter " + name : ": a parameter")
                                + " is not one that the JDBC driver for PostgreSQL knows, or has something like"
                                + (WITHOUT_MATCH.contains(name) ? "" : NearestName.asked(name, known())));
            }
        });
        return translated;
    }

    /** Names of libpq before those of the driver: of two that are equally near the first is proposed. */
    private static List<String> known() {
        return Stream.of(NAMES.keySet(), VALUES.keySet(), OF_THE_PLACE, WITHOUT_EFFECT, Known.BY_DRIVER)
                .flatMap(names -> names.stream().sorted())
                .toList();
    }

    private static String value(Map<String, String> known, String name, String value, String source) {
        String driversOwn = known.get(value);
        if (driversOwn == null) {
            throw CommandFailure.usage(source + ": " + name + " must be one of "
                    + String.join(", ", known.keySet().stream().sorted().toList())
                    + " for the JDBC driver for PostgreSQL");
        }
        return driversOwn;
    }

    /** Asked once, and only where a parameter of its own is used. */
    private static final class Known {

        static final Set<String> BY_DRIVER = byDriver();

        private static Set<String> byDriver() {
            String url = "jdbc:postgresql://localhost/";
            try {
                DriverPropertyInfo[] all = DriverManager.getDriver(url).getPropertyInfo(url, new Properties());
                return Arrays.stream(all)
                        .map(one -> one.name)
                        .filter(name -> !name.startsWith("PG"))
                        .collect(Collectors.toUnmodifiableSet());
            } catch (SQLException e) {
                throw new IllegalStateException("the JDBC driver for PostgreSQL is missing", e);
            }
        }
    }
}
