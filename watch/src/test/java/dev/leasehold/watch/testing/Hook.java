package dev.leasehold.watch.testing;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A webhook on the loopback that remembers what it got. */
public final class Hook implements AutoCloseable {

    /** One request as it came. */
    public record Got(String method, String contentType, String key, String body) {}

    private final HttpServer server;
    private final List<Got> got = new CopyOnWriteArrayList<>();
    private volatile int status = 204;

    public Hook() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            got.add(new Got(
                    exchange.getRequestMethod(),
                    exchange.getRequestHeaders().getFirst("Content-Type"),
                    exchange.getRequestHeaders().getFirst("Idempotency-Key"),
                    body));
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    /** What it answers from now on. */
    public void answer(int newStatus) {
        status = newStatus;
    }

    public List<Got> got() {
        return List.copyOf(got);
    }

    public List<String> keys() {
        return got.stream().map(Got::key).toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
