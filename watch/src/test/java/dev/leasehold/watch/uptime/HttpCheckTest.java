package dev.leasehold.watch.uptime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.leasehold.watch.testing.DnsServer;
import dev.leasehold.watch.testing.RawServer;
import dev.leasehold.watch.testing.RefusedPort;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.SimpleResolver;

class HttpCheckTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(700);
    private static final int TRIES = 5;
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";

    private DnsServer dns;
    private HttpCheck check;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        dns = new DnsServer();
        check = new HttpCheck(100_000, Platform::ofThisNode, this::dns, Routes::ofThisNode);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }

    @AfterEach
    void stop() throws IOException {
        check.close();
        server.stop(0);
        dns.close();
    }

    private Resolver resolver() {
        var resolver = new SimpleResolver(new InetSocketAddress(InetAddress.getLoopbackAddress(), dns.port()));
        resolver.setTimeout(Duration.ofSeconds(10));
        return resolver;
    }

    private Dns dns() {
        return new Dns(resolver(), List.of(), 1);
    }

    private Verdict look(String url, Duration timeout) throws InterruptedException {
        return check.check(new Monitor(1, url, timeout)).verdict();
    }

    private String at(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private void answer(String path, int status, String location) {
        server.createContext(path, exchange -> {
            if (!location.isEmpty()) {
                exchange.getResponseHeaders().add("Location", location);
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
    }

    @ParameterizedTest
    @CsvSource({"200, UP", "204, UP", "304, UP", "404, DOWN", "500, DOWN", "503, DOWN"})
    void finalStatusDecides(int status, Outcome outcome) throws Exception {
        answer("/x", status, "");

        assertThat(look(at("/x"), LONG)).isEqualTo(new Verdict(outcome, status, "answered " + status));
    }

    @Test
    void fiveRedirectsAreFollowedAndTheSixthIsNot() throws Exception {
        answer("/5", 302, "/4");
        answer("/4", 301, at("/3"));
        answer("/3", 307, "2");
        answer("/2", 308, "/1");
        answer("/1", 303, "/end");
        answer("/end", 200, "");
        answer("/6", 302, "/5");

        assertThat(look(at("/5"), LONG)).isEqualTo(new Verdict(Outcome.UP, 200, "answered 200"));
        assertThat(look(at("/6"), LONG)).isEqualTo(new Verdict(Outcome.DOWN, null, "more than 5 redirects"));
    }

    @Test
    void endlessRedirectsEnd() throws Exception {
        answer("/loop", 302, "/loop");

        assertThat(look(at("/loop"), LONG)).isEqualTo(new Verdict(Outcome.DOWN, null, "more than 5 redirects"));
    }

    @Test
    void redirectsShareTheDeadline() throws Exception {
        try (var slow = new RawServer(connection -> {
            RawServer.tryReadHead(connection.getInputStream());
            Thread.sleep(300);
            connection.getOutputStream().write(bytes("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"));
        })) {
            assertEndsAtItsDeadline(slow.url(), "out of time: no answer");
        }
    }

    @Test
    void redirectToWhatIsNotHttpIsDown() throws Exception {
        answer("/x", 302, "ftp://files.example/");

        assertThat(look(at("/x"), LONG).outcome()).isEqualTo(Outcome.DOWN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "not a url", "/only/a/path", "ftp://127.0.0.1/", "http:///x", "http://127.0.0.1:99999/"})
    void urlThatCannotBeAskedSaysNothingOfTheTarget(String url) throws Exception {
        assertThat(look(url, LONG).outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void targetThatAcceptsAndNeverAnswersEndsAtTheDeadlineAndLosesItsConnection() throws Exception {
        try (var silent = new RawServer(RawServer.silent())) {
            assertEndsAtItsDeadline(silent.url(), "out of time: no answer");

            await().atMost(Duration.ofSeconds(30)).until(silent::isLeft);
        }
    }

    @Test
    void tlsHandshakeThatNeverComesEndsAtTheDeadline() throws Exception {
        try (var silent = new RawServer(RawServer.silent())) {
            assertEndsAtItsDeadline("https://127.0.0.1:" + silent.port() + "/", "out of time: no answer");
        }
    }

    @Test
    void trickledHeadersEndAtTheDeadline() throws Exception {
        try (var trickling = new RawServer(connection -> {
            RawServer.tryReadHead(connection.getInputStream());
            trickle(connection.getOutputStream(), HEAD, "X-Padding: x\r\n");
        })) {
            assertEndsAtItsDeadline(trickling.url(), "out of time: no answer");
        }
    }

    @Test
    void trickledBodyEndsAtTheDeadlineAndLosesItsConnection() throws Exception {
        try (var trickling = new RawServer(connection -> {
            RawServer.tryReadHead(connection.getInputStream());
            trickle(connection.getOutputStream(), HEAD + "Content-Length: 1000000\r\n\r\n", "x");
        })) {
            assertEndsAtItsDeadline(trickling.url(), "out of time: answered 200, but the body did not end");

            await().atMost(Duration.ofSeconds(30)).until(trickling::isLeft);
        }
    }

    @Test
    void endlessBodyIsReadToTheLimitOnly() throws Exception {
        var left = new AtomicBoolean();
        try (var endless = new RawServer(connection -> {
            RawServer.tryReadHead(connection.getInputStream());
            connection.getOutputStream().write(bytes(HEAD + "\r\n"));
            byte[] junk = new byte[8192];
            try {
                while (true) {
                    connection.getOutputStream().write(junk);
                }
            } finally {
                left.set(true);
            }
        })) {
            assertThat(look(endless.url(), LONG)).isEqualTo(new Verdict(Outcome.UP, 200, "answered 200"));

            await().atMost(Duration.ofSeconds(30)).untilTrue(left);
        }
    }

    @Test
    void refusedConnectionIsDown() throws Exception {
        try (var refused = new RefusedPort()) {
            assertThat(look(refused.url(), LONG))
                    .isEqualTo(new Verdict(Outcome.DOWN, null, "no connection: refused, or not reachable"));
        }
    }

    @Test
    void brokenTlsIsDown() throws Exception {
        try (var plain = new RawServer(connection -> {
            connection.getInputStream().read();
            connection.getOutputStream().write(bytes("this is not TLS at all, whatever you think\r\n"));
        })) {
            Verdict verdict = look("https://127.0.0.1:" + plain.port() + "/", LONG);

            assertThat(verdict.outcome()).isEqualTo(Outcome.DOWN);
            assertThat(verdict.detail()).startsWith("TLS failed: ");
        }
    }

    @Test
    void whatIsNotHttpIsDown() throws Exception {
        try (var babbling = new RawServer(RawServer.answering("SSH-2.0-OpenSSH\r\n\r\n"))) {
            Verdict verdict = look(babbling.url(), LONG);

            assertThat(verdict.outcome()).isEqualTo(Outcome.DOWN);
            assertThat(verdict.detail()).startsWith("no HTTP answer: ");
        }
    }

    @Test
    void connectionIsClosedWhenItsAnswerCannotBeRead() throws Exception {
        assertDownAndEachConnectionClosed(50, "220 mx.example ESMTP ready\r\n");
        assertDownAndEachConnectionClosed(10, "HTTP/1.1 200 OK\r\nthis is no header\r\n\r\n");
    }

    @Test
    void connectionIsNotKeptForTheNextCheck() throws Exception {
        var closed = new CountDownLatch(1);
        try (var target = new RawServer(connection -> {
            RawServer.answering(HEAD + "Content-Length: 0\r\n\r\n").serve(connection);
            closed.countDown();
        })) {
            assertThat(look(target.url(), LONG).outcome()).isEqualTo(Outcome.UP);

            assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void connectionIsClosedWhenTheHeadersAreTooLarge() throws Exception {
        String large = "HTTP/1.1 200 OK\r\nX-Large: " + "x".repeat(1_000_000) + "\r\n\r\n";
        String many = "HTTP/1.1 200 OK\r\n" + "X-Padding: x\r\n".repeat(50_000) + "\r\n";

        assertDownAndEachConnectionClosed(20, large);
        assertDownAndEachConnectionClosed(20, many);
    }

    private void assertDownAndEachConnectionClosed(int checks, String response) throws Exception {
        var closed = new CountDownLatch(checks);
        try (var target = new RawServer(connection -> {
            try {
                RawServer.answering(response).serve(connection);
            } finally {
                closed.countDown();
            }
        })) {
            for (int i = 0; i < checks; i++) {
                assertThat(look(target.url(), LONG).detail()).startsWith("no HTTP answer: ");
            }

            assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(target.connections()).isEqualTo(checks);
        }
    }

    @Test
    void requestAsksForNothingButTheUrlAndTheEndOfTheConnection() throws Exception {
        var asked = new CompletableFuture<Map<String, List<String>>>();
        server.createContext("/", exchange -> {
            var headers = new TreeMap<String, List<String>>(exchange.getRequestHeaders());
            headers.put("path", List.of(exchange.getRequestURI().toString()));
            asked.complete(headers);
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });

        String authority = "127.0.0.1:" + server.getAddress().getPort();
        assertThat(look("http://user@" + authority + "/a%20b//c?d=%2F&e", LONG).outcome())
                .isEqualTo(Outcome.UP);
        assertThat(asked.join())
                .isEqualTo(Map.of(
                        "path", List.of("/a%20b//c?d=%2F&e"),
                        "Host", List.of(authority),
                        "User-agent", List.of("leasehold-watch"),
                        "Connection", List.of("close")));
    }

    @Test
    void nameThatDoesNotExistIsDown() throws Exception {
        assertThat(look("http://gone.invalid/", LONG))
                .isEqualTo(new Verdict(Outcome.DOWN, null, "the name gone.invalid does not exist or has no address"));

        dns.empty("bare.invalid");
        assertThat(look("http://bare.invalid/", LONG).outcome()).isEqualTo(Outcome.DOWN);
    }

    @Test
    void failingResolverIsUnknownNotDown() throws Exception {
        dns.servfail("broken.invalid").refused("refused.invalid");

        assertThat(look("http://broken.invalid/", LONG).outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(look("http://refused.invalid/", LONG).outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void silentResolverIsUnknownAtTheDeadline() throws Exception {
        dns.silent("mute.invalid");

        long start = System.nanoTime();
        assertThat(look("http://mute.invalid/", SHORT))
                .isEqualTo(new Verdict(Outcome.UNKNOWN, null, "could not look up mute.invalid: no answer in time"));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT.plusSeconds(8));
    }

    @Test
    void nameThatOnlyTheDnsHasIsUnknown() throws Exception {
        dns.add(new ARecord(
                Name.fromString("new.invalid."), DClass.IN, 60, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})));

        assertThat(look("http://new.invalid/", LONG).outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void nameThatIsLostBetweenItsLookUpAndTheConnectionIsUnknownNotDown() throws Exception {
        Platform rememberedByUsOnly = host -> List.of(InetAddress.getLoopbackAddress());
        for (Routes routes : List.<Routes>of(address -> true, address -> false)) {
            try (var losing = new HttpCheck(1000, rememberedByUsOnly, this::dns, routes)) {
                assertThat(losing.check(new Monitor(1, "http://lost.invalid/", LONG))
                                .verdict())
                        .isEqualTo(new Verdict(
                                Outcome.UNKNOWN,
                                null,
                                "could not look up lost.invalid: it was found, and a moment later it was not"));
            }
        }
    }

    @Test
    void nodeWithoutARouteSaysNothingOfTheTarget() throws Exception {
        try (var refused = new RefusedPort();
                var cutOff = new HttpCheck(1000, Platform::ofThisNode, this::dns, address -> false)) {
            Verdict verdict = cutOff.check(new Monitor(1, refused.url(), LONG)).verdict();

            assertThat(verdict).isEqualTo(new Verdict(Outcome.UNKNOWN, null, "this node has no route to 127.0.0.1"));
        }
        assertThat(Routes.ofThisNode(InetAddress.getLoopbackAddress())).isTrue();
    }

    /** In one of a few checks, for what is seen before a short deadline depends on the machine. */
    private void assertEndsAtItsDeadline(String url, String detail) throws InterruptedException {
        var inTime = new Verdict(Outcome.DOWN, null, detail);
        CheckResult result = check.check(new Monitor(1, url, SHORT));
        for (int time = 2; time <= TRIES && !(result.verdict().equals(inTime) && isAtTheDeadline(result)); time++) {
            result = check.check(new Monitor(1, url, SHORT));
        }

        assertThat(result.verdict()).isEqualTo(inTime);
        assertThat(result).matches(HttpCheckTest::isAtTheDeadline);
    }

    private static boolean isAtTheDeadline(CheckResult result) {
        return result.duration().compareTo(SHORT.minusMillis(100)) >= 0
                && result.duration().compareTo(SHORT.plusSeconds(2)) <= 0;
    }

    private static void trickle(OutputStream out, String first, String each) throws IOException, InterruptedException {
        out.write(bytes(first));
        while (true) {
            out.write(bytes(each));
            Thread.sleep(50);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
