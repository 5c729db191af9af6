package dev.leasehold.cli;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A URL of a database taken apart into parameters by libpq's names: {@code postgresql://}, {@code postgres://} and
 * {@code jdbc:postgresql:}, with user and password before the hosts or among the parameters, and several hosts.
 *
 * <p>No error repeats a value of the URL: a password with a sign that should have been escaped may be any piece of it.
 *
 * @param source where it was found, for errors
 * @param isJdbc whether its parameters are meant as the JDBC driver understands them
 * @param parameters by their names, in no order
 * @see <a href="https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS">connection URIs</a>
 */
record ConnectionUrl(String source, boolean isJdbc, Map<String, String> parameters) {

    private static final Pattern SCHEME = Pattern.compile("(?s)(jdbc:postgresql|postgresql|postgres):(.*)");
    private static final Pattern OTHER_SCHEME = Pattern.compile("[A-Za-z]{1,20}(?:[+:.-][A-Za-z0-9]{1,20})*://");
    private static final Pattern HOST = Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[^\\[\\]:@?#\\s]*)(?::(\\d{0,5}))?");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_]{1,40}");
    private static final int LAST_PORT = 65_535;

    static ConnectionUrl parse(String source, String text) {
        Matcher scheme = SCHEME.matcher(text.strip());
        if (!scheme.matches()) {
            throw refused(
                    source,
                    "a database URL must begin with postgresql://, postgres:// or jdbc:postgresql://"
                            + begins(text.strip()));
        }
        boolean isJdbc = scheme.group(1).startsWith("jdbc:");
        var parser = new Parser(source, isJdbc, new LinkedHashMap<>());
        parser.parse(scheme.group(2));
        return new ConnectionUrl(source, isJdbc, Map.copyOf(parser.parameters));
    }

    /** Only the scheme, and only of what is a URL: anything else may be a password. */
    private static String begins(String text) {
        Matcher other = OTHER_SCHEME.matcher(text);
        if (other.lookingAt()) {
            return "; this one begins with " + other.group();
        }
        return text.contains("=") ? "; name=value pairs are not understood" : "";
    }

    private static CommandFailure refused(String source, String rule) {
        return CommandFailure.usage(source + " can't be understood: " + rule);
    }

    /** Only for debuggers; without any value. */
    @Override
    public String toString() {
        return source + " with " + parameters.keySet();
    }

    private record Parser(String source, boolean isJdbc, Map<String, String> parameters) {

        private void parse(String afterScheme) {
            int question = afterScheme.indexOf('?');
            String place = question < 0 ? afterScheme : afterScheme.substring(0, question);
            String query = question < 0 ? "" : afterScheme.substring(question + 1);
            if (place.startsWith("//")) {
                parsePlace(place.substring(2), query);
            } else if (isJdbc && !place.contains("@")) {
                putDatabase(place.startsWith("/") ? place.substring(1) : place);
            } else {
                throw refused(source, "// comes after the scheme");
            }
            for (String parameter : query.split("&", -1)) {
                parseParameter(parameter);
            }
        }

        private void parsePlace(String place, String query) {
            int slash = place.indexOf('/');
            String authority = slash < 0 ? place : place.substring(0, slash);
            String database = slash < 0 ? "" : place.substring(slash + 1);
            if (database.contains("@") || database.contains("/")) {
                throw refused(source, "a / or @ within user, password or database is written %2F or %40");
            }
            int at = authority.lastIndexOf('@');
            if (at < 0 && query.contains("@") && authority.contains(":") && database.isEmpty()) {
                throw refused(source, "a ? within user or password is written %3F, and an @ within a parameter %40");
            }
            if (at >= 0) {
                parseCredentials(authority.substring(0, at));
            }
            parseHosts(authority.substring(at + 1));
            putDatabase(database);
        }

        private void parseCredentials(String credentials) {
            int colon = credentials.indexOf(':');
            put("user", decoded(colon < 0 ? credentials : credentials.substring(0, colon)));
            put("password", colon < 0 ? "" : decoded(credentials.substring(colon + 1)));
        }

        private void parseHosts(String authority) {
            List<String> hosts = new ArrayList<>();
            List<String> ports = new ArrayList<>();
            for (String one : authority.split(",", -1)) {
                Matcher host = HOST.matcher(one);
                if (!host.matches()) {
                    throw refused(source, "after user and password comes host or host:port");
                }
                String port = host.group(2) == null ? "" : host.group(2);
                if (!port.isEmpty() && !isPort(port)) {
                    throw refused(source, "a port is a number from 1 to " + LAST_PORT);
                }
                hosts.add(decoded(host.group(1)));
                ports.add(port);
            }
            if (!authority.isEmpty()) {
                put("host", String.join(",", hosts));
                put("port", String.join(",", ports));
            }
        }

        private static boolean isPort(String digits) {
            int port = Integer.parseInt(digits);
            return port >= 1 && port <= LAST_PORT;
        }

        private void putDatabase(String database) {
            put("dbname", decoded(database));
        }

        private void parseParameter(String parameter) {
            if (parameter.isEmpty()) {
                return;
            }
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            if ((equals < 0 && !isJdbc) || !NAME.matcher(name).matches()) {
                throw refused(source, "after the ? come name=value, joined by &; in values, & is written %26");
            }
            String value = equals < 0 ? "" : parameter.substring(equals + 1);
            parameters.put(name, isJdbc ? decoded(value.replace("+", "%20")) : decoded(value));
        }

        private void put(String name, String value) {
            if (!value.isEmpty()) {
                parameters.put(name, value);
            }
        }

        private String decoded(String text) {
            String decoded;
            try {
                decoded = URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                throw refused(source, "a % is followed by two hexadecimal digits; the sign itself is written %25");
            }
            if (decoded.indexOf('\0') >= 0) {
                throw refused(source, "%00 is no part of any name");
            }
            return decoded;
        }
    }
}
