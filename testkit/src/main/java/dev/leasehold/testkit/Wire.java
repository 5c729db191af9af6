package dev.leasehold.testkit;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A TCP proxy in front of the database that can be made to fail. Thread-safe. */
public final class Wire implements AutoCloseable {

    /** What happens to bytes and to new connections. */
    public enum Mode {
        /** All goes through. */
        WHOLE,
        /** Requests reach the server, and its answers reach nobody. */
        ANSWERS_LOST,
        /** Connections are accepted, and nothing goes through. */
        SILENT,
        /** Open connections are reset, new ones end at once. */
        CUT
    }

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Mode mode = Mode.WHOLE;

    private Wire(int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    /** A wire to that database's server. */
    public static Wire to(TestDatabase database) {
        try {
            return new Wire(database.port());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The URL of that database through this wire. */
    public String jdbcUrl(TestDatabase database) {
        return "jdbc:postgresql://localhost:" + server.getLocalPort() + "/" + database.name() + "?user="
                + database.user();
    }

    /** From now on. */
    public void become(Mode next) {
        mode = next;
        if (next == Mode.CUT) {
            open.forEach(Wire::closeQuietly);
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                open.add(client);
                if (mode == Mode.CUT) {
                    closeQuietly(client);
                    continue;
                }
                Socket database = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(database);
                daemon(() -> copy(client, database, true));
                daemon(() -> copy(database, client, false));
            } catch (IOException e) {
                // the wire was closed, or this one connection failed
            }
        }
    }

    private void copy(Socket from, Socket to, boolean isRequest) {
        byte[] buffer = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                boolean through = mode == Mode.WHOLE || (mode == Mode.ANSWERS_LOST && isRequest);
                if (through) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException e) {
            // an end of the connection is gone, so the other goes too
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            // it is closed all the same
        }
    }

    private static void daemon(Runnable work) {
        var thread = new Thread(work, "wire");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        closeQuietly(server);
        open.forEach(Wire::closeQuietly);
    }
}
