package dev.leasehold.watch.running;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Accepts every connection and never says a word, as a database behind a broken network does. */
public final class SilentServer implements AutoCloseable {

    private final ServerSocket listener;
    private final List<Socket> accepted = new CopyOnWriteArrayList<>();

    public SilentServer() throws IOException {
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var thread = new Thread(this::accept, "silent-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                accepted.add(listener.accept());
            }
        } catch (IOException e) {
            // closed
        }
    }

    public String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + listener.getLocalPort() + "/silent?user=nobody";
    }

    /** How many connections were ever opened. */
    public int connections() {
        return accepted.size();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : accepted) {
            socket.close();
        }
    }
}
