package dev.leasehold.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Free TCP ports from a first one upward. */
final class Ports {

    private static final int LAST = 65_535;
    private static final int CONNECT_MILLIS = 500;

    private final Console console;

    Ports(Console console) {
        this.console = console;
    }

    List<Integer> free(int first, int count) {
        List<Integer> ports = new ArrayList<>();
        for (int port = first; ports.size() < count; port++) {
            if (port > LAST) {
                throw LaunchException.wrongInput(
                        "from port " + first + " to " + LAST + " only " + ports.size() + " of " + count + " are free");
            }
            if (isFree(port)) {
                ports.add(port);
            } else {
                console.say("Port " + port + " is busy: skipped.");
            }
        }
        return List.copyOf(ports);
    }

    private static boolean isFree(int port) {
        return !somebodyAnswers(port) && canListen(port);
    }

    private static boolean canListen(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Some systems let a loopback address be bound beside a listener on all addresses. */
    private static boolean somebodyAnswers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
