package dev.leasehold.watch.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.watch.WatchProperties;
import dev.leasehold.watch.running.RunningInstance;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class LocalRequestsOnlyTest {

    private static final String BODY = "{\"name\":\"evil.example\"}";
    private static final TestDatabase database = TestPostgres.freshDatabase();
    private static RunningInstance instance;

    @BeforeAll
    static void start() {
        instance = RunningInstance.on(database, "watch.advertised-url=http://watch.internal:8081");
    }

    @AfterAll
    static void stop() {
        instance.close();
    }

    private static String statusOf(String head, String body) throws Exception {
        return instance.raw(head, body).substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length());
    }

    private static long domains() throws Exception {
        return database.queryForLong("select count(*) from domain");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "localhost:8081",
                "127.0.0.1:1",
                "127.1.2.3",
                "[::1]:8081",
                "LOCALHOST",
                "watch.internal:8081"
            })
    void loopbackNamesAndTheAdvertisedOneAreAnswered(String host) throws Exception {
        assertThat(statusOf("GET /up HTTP/1.1\nHost: " + host, "")).isEqualTo("200");
    }

    /** A browser leaves the default port out, a program may not. */
    @ParameterizedTest
    @CsvSource({
        "http://watch.internal:80, watch.internal, watch.internal:80, watch.internal:443",
        "https://watch.internal:443, watch.internal, watch.internal:443, watch.internal:80",
        "https://watch.internal, watch.internal, watch.internal:443, watch.internal:80",
        "http://watch.internal, watch.internal, watch.internal:80, watch.internal:8080",
    })
    void defaultPortOfTheAdvertisedUrlMayBeLeftOut(String url, String bare, String withPort, String other)
            throws Exception {
        var filter = new LocalRequestsOnly(
                new WatchProperties("node-a", null, URI.create(url), true, Duration.ofSeconds(1)));

        assertThat(statusFrom(filter, bare, null)).isEqualTo(200);
        assertThat(statusFrom(filter, withPort, null)).isEqualTo(200);
        assertThat(statusFrom(filter, other, null)).isEqualTo(403);
        String scheme = url.substring(0, url.indexOf(':'));
        assertThat(statusFrom(filter, withPort, scheme + "://watch.internal")).isEqualTo(200);
        assertThat(statusFrom(filter, withPort, scheme + "://evil.example")).isEqualTo(403);
    }

    private static int statusFrom(LocalRequestsOnly filter, String host, @Nullable String origin) throws Exception {
        var request = new MockHttpServletRequest("DELETE", "/api/domains/1");
        request.addHeader("Host", host);
        if (origin != null) {
            request.addHeader("Origin", origin);
        }
        var response = new MockHttpServletResponse();
        filter.doFilter(request, response, new MockFilterChain());
        return response.getStatus();
    }

    @Test
    void browserThatAsksWhetherItMayIsNotToldThatItMay() throws Exception {
        String answer = instance.raw(
                "OPTIONS /api/domains HTTP/1.1\nHost: localhost:8081\nOrigin: http://evil.example\n"
                        + "Access-Control-Request-Method: POST\nAccess-Control-Request-Headers: content-type",
                "");

        assertThat(answer).startsWith("HTTP/1.1 ").doesNotContainIgnoringCase("Access-Control-Allow");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8081",
                "127.0.0.1.evil.example",
                "localhost.evil.example",
                "10.0.0.1"
            })
    void otherNamesAreRefusedEvenForReading(String host) throws Exception {
        assertThat(statusOf("GET /up HTTP/1.1\nHost: " + host, "")).isEqualTo("403");
        assertThat(statusOf("GET /api/monitors HTTP/1.1\nHost: " + host, "")).isEqualTo("403");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Site: same-site",
                "Origin: http://evil.example",
                "Origin: null",
                "Origin: http://localhost:9999",
            })
    void otherOriginsMayNotChangeAnything(String header) throws Exception {
        String head = " HTTP/1.1\nHost: localhost:8081\nContent-Type: application/json\n" + header;

        assertThat(statusOf("POST /api/domains" + head, BODY)).isEqualTo("403");
        assertThat(statusOf("DELETE /api/domains/1" + head, "")).isEqualTo("403");
        assertThat(domains()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: text/plain",
                "Content-Type: application/x-www-form-urlencoded",
                "Content-Type: multipart/form-data; boundary=x",
                "Content-Type: text/plain; application/json",
                "Accept: application/json",
            })
    void bodyOtherThanJsonIsRefused(String header) throws Exception {
        assertThat(statusOf("POST /api/domains HTTP/1.1\nHost: localhost\n" + header, BODY))
                .isEqualTo("415");
        // whatever the path: what reads a body some day is protected too
        assertThat(statusOf("POST /up HTTP/1.1\nHost: localhost\n" + header, BODY))
                .isEqualTo("415");
        assertThat(domains()).isZero();
    }

    @Test
    void ownPageAndProgramsMayChangeThings() throws Exception {
        String head = " HTTP/1.1\nHost: localhost:8081\n";
        String own = "Sec-Fetch-Site: same-origin\nOrigin: http://localhost:8081\n";

        assertThat(statusOf("POST /api/domains" + head + own + "Content-Type: application/json; charset=utf-8", BODY))
                .isEqualTo("201");
        assertThat(statusOf("DELETE /api/domains/evil.example" + head, "")).isEqualTo("204");
    }

    @Test
    void everyAnswerForbidsForeignScriptsAndFrames() throws Exception {
        for (String path : new String[] {"/", "/up", "/nothing-here", "/watch.js"}) {
            assertThat(instance.get(path).headers().firstValue("Content-Security-Policy"))
                    .hasValueSatisfying(policy -> assertThat(policy)
                            .contains("default-src 'none'")
                            .contains("frame-ancestors 'none'")
                            .doesNotContain("unsafe"));
        }
    }
}
