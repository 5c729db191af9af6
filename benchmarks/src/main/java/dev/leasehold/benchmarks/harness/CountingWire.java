package dev.leasehold.benchmarks.harness;

import dev.leasehold.testkit.TestDatabase;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A TCP proxy in front of the database that counts how often a client asked and had to wait for an answer, and can put the
 * server further away.
 */
final class CountingWire implements AutoCloseable {

    private final ServerSocket server;
    private final int target;
    private final Duration delay;
    private final AtomicLong turns = new AtomicLong();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    CountingWire(TestDatabase database) {
        this(database, Duration.ZERO);
    }

    /**
     * @param delay how much longer each request is on its way
     */
    CountingWire(TestDatabase database, Duration delay) {
        this.delay = delay;
        try {
            this.target = database.port();
            this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Of all connections so far. */
    long roundTrips() {
        return turns.get();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Socket database = new Socket(InetAddress.getLoopbackAddress(), target);
                for (Socket end : new Socket[] {client, database}) {
                    end.setTcpNoDelay(true);
                    open.add(end);
                }
                var answered = new AtomicBoolean(true);
                daemon(() -> copy(client, database, () -> {
                    countIfNew(answered);
                    LockSupport.parkNanos(delay.toNanos());
                }));
                daemon(() -> copy(database, client, () -> answered.set(true)));
            } catch (IOException e) {
                // the wire was closed, or this one connection failed
            }
        }
    }

    /** What the client sends before it has an answer belongs to the same question. */
    private void countIfNew(AtomicBoolean answered) {
        if (answered.getAndSet(false)) {
            turns.incrementAndGet();
        }
    }

    private static void copy(Socket from, Socket to, Runnable seen) {
        byte[] buffer = new byte[65_536];
        try (from;
                to) {
            var in = from.getInputStream();
            var out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                seen.run();
                out.write(buffer, 0, read);
            }
        } catch (IOException e) {
            // an end of the connection is gone, so the other goes too
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
        var thread = new Thread(work, "counting-wire");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        closeQuietly(server);
        open.forEach(CountingWire::closeQuietly);
    }
}
