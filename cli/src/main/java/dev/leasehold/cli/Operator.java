package dev.leasehold.cli;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Who gives an order, for those who will wonder. */
final class Operator {

    private Operator() {}

    /** The reason that is told where none was given. */
    static String reason(String command, Surroundings surroundings) {
        return "by leasehold " + command + ", by " + surroundings.user() + "@" + host(surroundings);
    }

    private static String host(Surroundings surroundings) {
        return surroundings.variable("HOSTNAME").orElseGet(() -> {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return "unknown";
            }
        });
    }
}
