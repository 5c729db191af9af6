package dev.leasehold.watch.uptime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Tells whether this node has a route to an address. */
interface Routes {

    boolean lead(InetAddress address);

    /**
     * Asks the kernel: connecting a datagram socket looks the route up and sends nothing. Says yes when in doubt.
     */
    static boolean ofThisNode(InetAddress address) {
        try (var socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(address, 9));
            return true;
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }
}
