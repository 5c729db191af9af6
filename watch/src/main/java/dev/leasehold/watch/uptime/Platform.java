package dev.leasehold.watch.uptime;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** The platform's own look-up of names: hosts file, search list and all. It blocks for as long as it likes. */
interface Platform {

    /** At least one address. */
    List<InetAddress> addresses(String host) throws UnknownHostException;

    static List<InetAddress> ofThisNode(String host) throws UnknownHostException {
        return List.of(InetAddress.getAllByName(host));
    }
}
