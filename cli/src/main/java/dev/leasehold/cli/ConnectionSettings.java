package dev.leasehold.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;

/**
 * How to connect: what the URL says, then the service, then the environment, then the defaults of psql and of this program.
 *
 * @param place is made to be printed: hosts, database and user, no password
 * @param isGuessed whether nothing said where to connect to, or as whom
 */
record ConnectionSettings(String jdbcUrl, Properties properties, String place, boolean isGuessed) {

    private static final Set<String> PLACE = Set.of("host", "hostaddr", "port", "dbname", "user");
    private static final int DEFAULT_CONNECT_TIMEOUT_SECONDS = 10;
    private static final String SOCKET_TIMEOUT_SECONDS = "30";

    /** From the URL, if there is one; {@code warning} takes a line about a file that is not used. */
    static ConnectionSettings of(Optional<ConnectionUrl> url, Surroundings surroundings, Consumer<String> warning) {
        var parameters = new LinkedHashMap<String, String>();
        Map<String, String> ofUrl = url.map(ConnectionUrl::parameters).orElse(Map.of());
        Map<String, String> ofEnvironment = PgVariables.parameters(surroundings);
        String service = ofUrl.getOrDefault("service", ofEnvironment.getOrDefault("service", ""));
        addAll(parameters, ofUrl, url.map(ConnectionUrl::source).orElse(""));
        if (!service.isEmpty()) {
            addAll(parameters, ServiceFile.parameters(service, surroundings), "the service " + service);
        }
        addAll(parameters, ofEnvironment, "the environment");
        boolean isJdbc = url.filter(ConnectionUrl::isJdbc).isPresent();
        TlsDefaults.add(parameters, surroundings.home(), isJdbc);
        return of(parameters, surroundings, warning);
    }

    private static void addAll(Map<String, String> parameters, Map<String, String> more, String source) {
        var others = new LinkedHashMap<>(more);
        others.remove("service");
        DriverParameters.of(others, source).forEach(parameters::putIfAbsent);
    }

    private static ConnectionSettings of(
            Map<String, String> parameters, Surroundings surroundings, Consumer<String> warning) {
        List<DatabaseHost> hosts = DatabaseHost.of(parameters);
        String user = parameters.getOrDefault("user", surroundings.user());
        String database = parameters.getOrDefault("dbname", user);
        var properties = new Properties();
        parameters.forEach((name, value) -> {
            if (!DriverParameters.OF_THE_PLACE.contains(name)) {
                properties.setProperty(name, value);
            }
        });
        properties.setProperty("user", user);
        properties.putIfAbsent("ApplicationName", parameters.getOrDefault("fallback_application_name", "leasehold"));
        properties.putIfAbsent("prepareThreshold", "0"); // a pooler may give each transaction another session
        properties.putIfAbsent("tcpKeepAlive", "true");
        properties.putIfAbsent("socketTimeout", SOCKET_TIMEOUT_SECONDS);
        addConnectTimeout(properties, parameters, hosts.size());
        if (!properties.containsKey("password")) {
            Path file = Optional.ofNullable(parameters.get("passfile"))
                    .map(Path::of)
                    .orElse(surroundings.home().resolve(".pgpass"));
            password(PassFile.read(file, warning), hosts, database, user)
                    .ifPresent(password -> properties.setProperty("password", password));
        }
        return new ConnectionSettings(
                "jdbc:postgresql://" + DatabaseHost.joined(hosts, DatabaseHost::address) + "/"
                        + URLEncoder.encode(database, StandardCharsets.UTF_8),
                properties,
                DatabaseHost.joined(hosts, DatabaseHost::name) + ", database " + database + ", as " + user,
                PLACE.stream().noneMatch(parameters::containsKey));
    }

    /** The driver's covers no more than the connect; libpq's the whole way to a session, on each host. */
    private static void addConnectTimeout(Properties properties, Map<String, String> parameters, int hosts) {
        String text = properties.getProperty(
                "connectTimeout",
                parameters.getOrDefault("connect_timeout", String.valueOf(DEFAULT_CONNECT_TIMEOUT_SECONDS)));
        if (!text.strip().matches("-?\\d{1,6}")) {
            throw CommandFailure.usage("connect_timeout must be a whole number of seconds");
        }
        int seconds = Math.max(0, Integer.parseInt(text.strip()));
        properties.putIfAbsent("connectTimeout", String.valueOf(seconds));
        properties.putIfAbsent("loginTimeout", String.valueOf((long) seconds * hosts));
    }

    private static Optional<String> password(PassFile file, List<DatabaseHost> hosts, String database, String user) {
        List<String> passwords = new ArrayList<>();
        for (DatabaseHost host : hosts) {
            file.password(host.nameInFiles(), host.port(), database, user).ifPresent(passwords::add);
        }
        if (passwords.stream().distinct().count() > 1) {
            throw CommandFailure.usage("the password file has different passwords for "
                    + DatabaseHost.joined(hosts, DatabaseHost::name) + ": name one host");
        }
        return passwords.stream().findFirst();
    }

    /** Only for debuggers; without a password. */
    @Override
    public String toString() {
        return place;
    }
}
