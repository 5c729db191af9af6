package dev.leasehold.launcher;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a PostgreSQL is and who asks it, taken apart from one URL: {@code jdbc:postgresql://}, {@code postgresql://} or
 * {@code postgres://}, with {@code user:password@} or {@code ?user=&password=}.
 *
 * <p>{@code jdbcUrl} holds neither user nor password, {@code place} is made to be printed, and {@code toString} prints
 * nothing else. No error repeats a piece of the URL: a password with an unescaped sign may be any piece.
 */
record DatabaseUrl(String jdbcUrl, Optional<String> user, Optional<String> password, String place) {

    private static final Pattern SCHEME = Pattern.compile("(jdbc:postgresql|postgresql|postgres)://(.*)");
    private static final Pattern HOST = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^\\[\\]:@/?#\\s]*)(?::(\\d{1,5}))?");

    static DatabaseUrl parse(String url) {
        Matcher scheme = SCHEME.matcher(url.strip());
        if (!scheme.matches()) {
            throw refused("it begins with jdbc:postgresql://, postgresql:// or postgres://");
        }
        String rest = scheme.group(2);
        int question = rest.indexOf('?');
        String beforeQuery = question < 0 ? rest : rest.substring(0, question);
        Query query = Query.parse(question < 0 ? "" : rest.substring(question + 1));

        int slash = beforeQuery.indexOf('/');
        String authority = slash < 0 ? beforeQuery : beforeQuery.substring(0, slash);
        String database = slash < 0 ? "" : beforeQuery.substring(slash + 1);
        if (database.contains("@") || database.contains("/")) {
            throw refused("a / or @ within user, password or database name is written %2F or %40");
        }

        int at = authority.lastIndexOf('@');
        String credentials = at < 0 ? "" : authority.substring(0, at);
        String hosts = authority.substring(at + 1);
        checkHosts(hosts);
        int colon = credentials.indexOf(':');
        Optional<String> user = nonEmpty(decoded(colon < 0 ? credentials : credentials.substring(0, colon)));
        Optional<String> password = nonEmpty(colon < 0 ? "" : decoded(credentials.substring(colon + 1)));
        return new DatabaseUrl(
                "jdbc:postgresql://" + hosts + "/" + database + query.others(),
                user.or(query::user),
                password.or(query::password),
                place(hosts, decoded(database)));
    }

    private static void checkHosts(String hosts) {
        for (String host : hosts.split(",", -1)) {
            Matcher matcher = HOST.matcher(host);
            if (!matcher.matches() || (matcher.group(2) != null && !isPort(Integer.parseInt(matcher.group(2))))) {
                throw refused("after the user and the password comes host or host:port, the port from 1 to 65535");
            }
        }
    }

    private static boolean isPort(int port) {
        return port >= 1 && port <= 65_535;
    }

    private static String place(String hosts, String database) {
        List<String> places = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            boolean hasPort = host.matches(".*:\\d+");
            String named = host.isEmpty() || host.startsWith(":") ? "localhost" + host : host;
            places.add(hasPort ? named : named + ":5432");
        }
        String where = String.join(",", places);
        return database.isEmpty() ? where : where + ", database " + database;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw refused("a % is followed by two hexadecimal digits; the sign itself is written %25");
        }
    }

    private static Optional<String> nonEmpty(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    private static LaunchException refused(String rule) {
        return LaunchException.wrongInput("--database-url can't be understood: " + rule);
    }

    @Override
    public String toString() {
        return place;
    }

    /** The part after the question mark, user and password taken out of it. */
    private record Query(Optional<String> user, Optional<String> password, String others) {

        static Query parse(String text) {
            Optional<String> user = Optional.empty();
            Optional<String> password = Optional.empty();
            List<String> others = new ArrayList<>();
            for (String parameter : text.split("&", -1)) {
                if (parameter.startsWith("user=")) {
                    user = nonEmpty(decoded(parameter.substring("user=".length())));
                } else if (parameter.startsWith("password=")) {
                    password = nonEmpty(decoded(parameter.substring("password=".length())));
                } else if (!parameter.isEmpty()) {
                    others.add(parameter);
                }
            }
            return new Query(user, password, others.isEmpty() ? "" : "?" + String.join("&", others));
        }
    }
}
