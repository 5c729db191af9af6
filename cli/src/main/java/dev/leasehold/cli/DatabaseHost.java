package dev.leasehold.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where a server may be.
 *
 * @param host as it was given; empty for localhost
 * @param hostAddress where to go, if not to that name
 */
record DatabaseHost(String host, String port, Optional<String> hostAddress) {

    private static final String DEFAULT_PORT = "5432";
    private static final int LAST_PORT = 65_535;

    /** All that are named; one at least. */
    static List<DatabaseHost> of(Map<String, String> parameters) {
        String[] names = parameters.getOrDefault("host", "").split(",", -1);
        Optional<String> given = Optional.ofNullable(parameters.get("hostaddr"));
        String[] addresses = given.orElse("").split(",", -1);
        int count = given.isPresent() && !parameters.containsKey("host") ? addresses.length : names.length;
        if (given.isPresent() && addresses.length != count) {
            throw CommandFailure.usage("hostaddr must have as many addresses as host has names");
        }
        if (given.isPresent() && "verify-full".equals(parameters.get("sslmode"))) {
            throw CommandFailure.usage("hostaddr together with sslmode=verify-full is not possible with the"
                    + " JDBC driver: leave hostaddr out, the name is looked up");
        }
        String[] ports = parameters.getOrDefault("port", "").split(",", -1);
        if (ports.length != 1 && ports.length != count) {
            throw CommandFailure.usage("port must have one number, or as many as there are hosts");
        }
        List<DatabaseHost> hosts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hosts.add(new DatabaseHost(
                    checked(i < names.length ? names[i].strip() : ""),
                    port(ports[ports.length == 1 ? 0 : i].strip()),
                    given.isPresent() ? Optional.of(addresses[i].strip()) : Optional.empty()));
        }
        return hosts;
    }

    private static String checked(String host) {
        if (host.startsWith("/") || host.startsWith("@")) {
            throw CommandFailure.usage("the host " + host
                    + " is a folder of Unix-domain sockets, and the JDBC driver speaks TCP only: name a host, such as"
                    + " localhost");
        }
        if (!host.matches("[^\\s/@?#]*")) {
            throw CommandFailure.usage("a host has no white space, and none of / @ ? #");
        }
        return host;
    }

    private static String port(String port) {
        if (port.isEmpty()) {
            return DEFAULT_PORT;
        }
        if (!port.matches("\\d{1,5}") || Integer.parseInt(port) < 1 || Integer.parseInt(port) > LAST_PORT) {
            throw CommandFailure.usage("a port is a number from 1 to " + LAST_PORT);
        }
        return port;
    }

    static String joined(List<DatabaseHost> hosts, Function<DatabaseHost, String> text) {
        return String.join(",", hosts.stream().map(text).toList());
    }

    /** For the driver. */
    String address() {
        return inBrackets(hostAddress.filter(address -> !address.isEmpty()).orElse(host)) + ":" + port;
    }

    /** For people. */
    String name() {
        return inBrackets(host.isEmpty() ? hostAddress.orElse("") : host) + ":" + port;
    }

    /** As a password file names it. */
    String nameInFiles() {
        String name = host.isEmpty() ? hostAddress.orElse("") : host;
        return name.isEmpty() ? "localhost" : name.replace("[", "").replace("]", "");
    }

    private static String inBrackets(String name) {
        if (name.isEmpty()) {
            return "localhost";
        }
        return name.contains(":") && !name.startsWith("[") ? "[" + name + "]" : name;
    }
}
