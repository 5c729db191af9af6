package dev.leasehold;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Makes a new holder for each acquisition: host name, process id and 64 random bits. Thread-safe. */
final class Holders {

    private static final int MAX_HOST_CHARACTERS = 255;

    private final SecureRandom random = new SecureRandom();
    private final String process;

    Holders() {
        this.process = hostName() + ":" + ProcessHandle.current().pid() + ":";
    }

    String next() {
        return process + HexFormat.of().toHexDigits(random.nextLong());
    }

    private static String hostName() {
        try {
            String host = InetAddress.getLocalHost().getHostName();
            return host.length() <= MAX_HOST_CHARACTERS ? host : host.substring(0, MAX_HOST_CHARACTERS);
        } catch (UnknownHostException e) {
            return "unknown-host";
        }
    }
}
