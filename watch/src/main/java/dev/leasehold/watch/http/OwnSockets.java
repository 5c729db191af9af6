package dev.leasehold.watch.http;

import java.io.IOException;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.client5.http.io.DetachedSocketFactory;
import org.jspecify.annotations.Nullable;

/** Makes the sockets of one exchange and closes them, whoever waits on one at that moment. Thread-safe. */
final class OwnSockets implements DetachedSocketFactory {

    private final List<Socket> sockets = new ArrayList<>();
    private boolean closed;

    @Override
    public synchronized Socket create(@Nullable Proxy proxy) throws IOException {
        if (closed) {
            throw new SocketException("given up before it was connected");
        }
        Socket socket = proxy == null ? new Socket() : new Socket(proxy);
        sockets.add(socket);
        return socket;
    }

    /** At once: below TLS, so nothing is sent and nothing waited for. No socket is made afterwards. */
    synchronized void close() {
        closed = true;
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                // it is not used again
            }
        }
    }
}
