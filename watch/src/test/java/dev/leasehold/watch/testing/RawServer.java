package dev.leasehold.watch.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** A server on the loopback that does with each connection what the test says: for targets that behave badly. */
public final class RawServer implements AutoCloseable {

    /** What is done with one connection; it is closed afterwards. */
    public interface Manners {
        void serve(Socket connection) throws IOException, InterruptedException;
    }

    private final ServerSocket listener;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    public RawServer(Manners manners) throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("raw-server", () -> {
            while (true) {
                Socket connection = listener.accept();
                connections.incrementAndGet();
                start("raw-connection", () -> {
                    try (connection) {
                        manners.serve(connection);
                    } finally {
                        ended.incrementAndGet();
                    }
                });
            }
        });
    }

    /** Answers each request with what it is given, whatever is asked, and never ends the connection itself. */
    public static Manners answering(String response) {
        return connection -> {
            while (tryReadHead(connection.getInputStream())) {
                connection.getOutputStream().write(response.getBytes(StandardCharsets.US_ASCII));
            }
        };
    }

    /** Accepts, reads, and never says a word. */
    public static Manners silent() {
        return connection -> connection.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    /** Reads the head of a request; false if the other end has closed. */
    public static boolean tryReadHead(InputStream in) throws IOException {
        int inARow = 0;
        while (inARow < 4) {
            int next = in.read();
            if (next < 0) {
                return false;
            }
            inARow = next == '\r' || next == '\n' ? inARow + 1 : 0;
        }
        return true;
    }

    public int port() {
        return listener.getLocalPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port() + "/";
    }

    public int connections() {
        return connections.get();
    }

    /** Whether there were connections, and all have ended. */
    public boolean isLeft() {
        int made = connections.get();
        return made > 0 && ended.get() == made;
    }

    private static void start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException | InterruptedException e) {
                        // closed, by the test or by the other end
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
