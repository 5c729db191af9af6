package dev.leasehold.watch.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port of the loopback at which nobody listens, and nobody else can as long as this is open. */
public final class RefusedPort implements AutoCloseable {

    private final Socket bound = new Socket();

    public RefusedPort() throws IOException {
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    public String url() {
        return "http://127.0.0.1:" + bound.getLocalPort() + "/";
    }

    @Override
    public void close() throws IOException {
        bound.close();
    }
}
