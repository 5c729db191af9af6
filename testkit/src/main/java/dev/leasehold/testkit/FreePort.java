package dev.leasehold.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port on which a server may listen. Not one of those that systems give to clients: somebody's connection might have it by the
 * time that the server starts, or starts again. Thread-safe.
 */
public final class FreePort {

    private static final int LEAST = 20_000;
    private static final int BEYOND = 32_000;
    private static final int TRIES = 1_000;

    private FreePort() {}

    /**
     * One at which nobody listens on the loopback now.
     *
     * @throws IllegalStateException if none was found
     */
    public static int find() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LEAST, BEYOND);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no port is free from " + LEAST + " to " + BEYOND);
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
