package dev.leasehold.watch.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.watch.running.RunningInstance;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ErrorAnswersTest {

    private static RunningInstance instance;

    @BeforeAll
    static void start() {
        instance = RunningInstance.on(TestPostgres.freshDatabase());
    }

    @AfterAll
    static void stop() {
        instance.close();
    }

    private static String ask(String method, String path, String accept) throws Exception {
        return instance.raw(method + " " + path + " HTTP/1.1\nHost: localhost\nAccept: " + accept, "");
    }

    @Test
    void browserGetsAPageWhereNothingIs() throws Exception {
        String answer = ask("GET", "/nothing-here", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");

        assertThat(answer)
                .startsWith("HTTP/1.1 404")
                .contains("Content-Type: text/html", "<h2>404 Not Found</h2>", "To the page")
                .contains("Content-Security-Policy")
                .doesNotContain("static resource");
    }

    @Test
    void programGetsProblemDetailsWhereNothingIs() throws Exception {
        for (String accept : new String[] {"*/*", "application/json", "application/problem+json"}) {
            assertThat(ask("GET", "/api/nothing", accept))
                    .startsWith("HTTP/1.1 404")
                    .contains("application/problem+json", "\"status\":404");
            assertThat(ask("DELETE", "/api/monitors", accept))
                    .startsWith("HTTP/1.1 405")
                    .contains("application/problem+json", "'DELETE' is not supported");
        }
    }
}
