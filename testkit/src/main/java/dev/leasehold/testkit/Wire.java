package dev.leasehold.testkit;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

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

    /** What happens to one request; its connection takes part, others do not. */
    public enum Fault {
        /** The connection is reset, and the request does not reach the server. */
        CUT_BEFORE_SEND,
        /** The server carries the request out and answers; the connection is reset before a byte of it arrives. */
        CUT_AFTER_APPLY,
        /** All of the answer arrives but its last byte, then the connection is reset. */
        CUT_IN_MID_REPLY,
        /** The request does not reach the server, and the connection stays open. */
        SILENCE,
        /** The request waits on its way until {@link Wire#letGo()}, and then reaches the server. */
        HELD
    }

    private record Plan(Fault fault, String text) {}

    private record Slowness(String text, Duration delay) {}

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Plan> plan = new AtomicReference<>();
    private volatile Mode mode = Mode.WHOLE;
    private volatile @Nullable Slowness slowness;
    private volatile CountDownLatch gate = new CountDownLatch(1);

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

    /** The next request in which the text appears meets the fault; those after it do not. */
    public void failNext(String text, Fault fault) {
        gate = new CountDownLatch(1);
        plan.set(new Plan(fault, text));
    }

    /** Whether the request of {@link #failNext} has come, and met its fault. */
    public boolean hasFailed() {
        return plan.get() == null;
    }

    /** The held request goes on. */
    public void letGo() {
        gate.countDown();
    }

    /** From now on, answers to requests in which the text appears arrive that much later. */
    public void delayAnswersTo(String text, Duration delay) {
        slowness = new Slowness(text, delay);
    }

    Mode mode() {
        return mode;
    }

    CountDownLatch gate() {
        return gate;
    }

    /** The fault that this request meets; the plan is used up by it. */
    Optional<Fault> faultOf(byte[] request, int length) {
        Plan planned = plan.get();
        if (planned != null && contains(request, length, planned.text()) && plan.compareAndSet(planned, null)) {
            return Optional.of(planned.fault());
        }
        return Optional.empty();
    }

    Duration delayOf(byte[] request, int length) {
        Slowness slow = slowness;
        return slow != null && contains(request, length, slow.text()) ? slow.delay() : Duration.ZERO;
    }

    private static boolean contains(byte[] request, int length, String text) {
        return new String(request, 0, length, StandardCharsets.ISO_8859_1).contains(text);
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
                var line = new WireLine(this, client, database);
                daemon(line::requests);
                daemon(line::answers);
            } catch (IOException e) {
                // the wire was closed, or this one connection failed
            }
        }
    }

    void ended(Socket socket) {
        open.remove(socket);
    }

    static void closeQuietly(Closeable closeable) {
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
        letGo();
        open.forEach(Wire::closeQuietly);
    }
}
