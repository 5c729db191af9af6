package dev.leasehold.watch.values;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of the machine this process runs on. */
public final class HostName {

    private HostName() {}

    public static String get() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown-host";
        }
    }
}
