package dev.leasehold.watch.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.BasicHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.routing.SystemDefaultRoutePlanner;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.Lookup;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParserFactory;
import org.apache.hc.core5.net.URIAuthority;
import org.apache.hc.core5.ssl.SSLContexts;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * One request over a connection of its own: HTTP/1.1, not repeated, redirects not followed, no cookies, a body as it
 * comes. It has no deadline: {@link #close()}, by any thread, ends it wherever it is, except in the look-up of a name,
 * after which it connects no more. Whoever starts one closes it.
 */
public final class Exchange implements AutoCloseable {

    private static final Http1Config LIMITS = Http1Config.custom()
            .setMaxLineLength(32 * 1024)
            .setMaxHeaderCount(128)
            .build();
    private static final ManagedHttpClientConnectionFactory CONNECTIONS =
            new ManagedHttpClientConnectionFactory(LIMITS, null, new DefaultHttpResponseParserFactory(LIMITS));
    private static final Lookup<TlsSocketStrategy> TLS = RegistryBuilder.<TlsSocketStrategy>create()
            .register(
                    "https",
                    new DefaultClientTlsStrategy(
                            SSLContexts.createSystemDefault(), HostnameVerificationPolicy.BUILTIN, null))
            .build();
    private static final RequestConfig AS_IT_IS = RequestConfig.custom()
            .setAuthenticationEnabled(false)
            .setProtocolUpgradeEnabled(false)
            .build();
    private static final ConnectionConfig UNTIL_CLOSED = ConnectionConfig.custom()
            .setConnectTimeout(Timeout.DISABLED)
            .setSocketTimeout(Timeout.DISABLED)
            .build();

    private final OwnSockets sockets = new OwnSockets();
    private volatile int status;

    /** What came back: the status, and the header {@code Location} if there is one. */
    public record Answer(int status, Optional<String> location) {}

    /** Blocks until the body has ended, or that much of it was thrown away; to be called once. */
    public Answer ask(HttpUriRequestBase request, long bodyLimit) throws IOException {
        request.setHeader("Connection", "close");
        URIAuthority at = request.getAuthority();
        request.setAuthority(new URIAuthority(at.getHostName(), at.getPort()));
        try (CloseableHttpClient client = client()) {
            ClassicHttpResponse response =
                    client.executeOpen(new HttpHost(request.getScheme(), request.getAuthority()), request, null);
            status = response.getCode();
            discard(response.getEntity(), bodyLimit);
            return new Answer(
                    status,
                    Optional.ofNullable(response.getFirstHeader("Location")).map(Header::getValue));
        } finally {
            close(); // before the client's own end, which would read on for what is left of the body
        }
    }

    private CloseableHttpClient client() {
        var connections = new BasicHttpClientConnectionManager(
                new DefaultHttpClientConnectionOperator(sockets, null, null, TLS), CONNECTIONS);
        connections.setConnectionConfig(UNTIL_CLOSED);
        return HttpClients.custom()
                .setConnectionManager(connections)
                // Else the client ends the connection, with a reset. It is not used again: the manager goes with it.
                .setConnectionReuseStrategy((request, response, context) -> true)
                .setDefaultRequestConfig(AS_IT_IS)
                .setRoutePlanner(new SystemDefaultRoutePlanner(null))
                .setUserAgent("leasehold-watch")
                .disableAutomaticRetries()
                .disableRedirectHandling()
                .disableCookieManagement()
                .disableContentCompression()
                .disableAuthCaching()
                .build();
    }

    private static void discard(@Nullable HttpEntity body, long limit) throws IOException {
        InputStream in = body == null ? InputStream.nullInputStream() : body.getContent();
        byte[] buffer = new byte[8192];
        long left = limit;
        while (left > 0) {
            int read = in.read(buffer);
            if (read < 0) {
                return;
            }
            left -= read;
        }
    }

    /** The status of the answer, 0 while there is none. */
    public int status() {
        return status;
    }

    @Override
    public void close() {
        sockets.close();
    }
}
