package dev.leasehold.watch.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.watch.running.RunningInstance;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DoctorPageTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final TestDatabase database = TestPostgres.freshDatabase();
    private static RunningInstance instance;

    @BeforeAll
    static void start() {
        instance = RunningInstance.on(database);
    }

    @AfterAll
    static void stop() {
        instance.close();
    }

    /** As a program does that keeps the connection of its lock. */
    private static Connection idleWithALock(String applicationName) throws Exception {
        Connection connection = database.connect();
        try (var statement = connection.prepareStatement("select set_config('application_name', ?, false)")) {
            statement.setString(1, applicationName);
            statement.execute();
        }
        try (var statement = connection.createStatement()) {
            statement.execute("select pg_advisory_lock(hashtext('sweep'))");
        }
        return connection;
    }

    private static String awaited(String text) {
        return await().atMost(LIMIT)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> instance.get("/doctor").body(), page -> page.contains(text));
    }

    @Test
    void lockOnAnIdleConnectionIsToldWithItsEvidenceAndWhatToDo() throws Exception {
        try (Connection holder = idleWithALock("nightly-import")) {
            String page = awaited("nightly-import");

            assertThat(holder.isClosed()).isFalse();
            assertThat(page)
                    .containsPattern("<p class=\"summary\"><span class=\"status (bad|warn)\">\\d+ (problem|risk)")
                    .contains("on <span>PostgreSQL ", " as role postgres, in database " + database.name())
                    .containsPattern("Looked at <time datetime=\"20[^\"]+Z\">")
                    .containsPattern("(?s)<h2><span class=\"status (bad|warn)\">(problem|risk)</span>.*advisory"
                            + "[^<]*nightly-import.*<td><span>bigint .*<dt>Means</dt><dd>.+</dd>.*<dt>Now</dt>"
                            + "<dd><p>.+</p><pre tabindex=\"0\"><code>select pg_terminate_backend\\(\\d+\\);</code></pre></dd>"
                            + ".*<dt>For good</dt><dd>.+</dd>");
        }
    }

    @Test
    void textFromOutsideIsNeverMarkup() throws Exception {
        try (Connection holder = idleWithALock("<img src=x onerror=alert(1)>")) {
            String page = awaited("src=x");

            assertThat(holder.isClosed()).isFalse();
            assertThat(page).contains("&lt;img src=x onerror=alert(1)&gt;").doesNotContain("<img");
        }
    }

    @Test
    void pageNeedsNoScriptAndIsLinkedFromTheMainPage() throws Exception {
        HttpResponse<String> page = instance.answered("/doctor");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'");
        assertThat(page.body())
                .contains("<a href=\"/doctor\">Look again</a>", "<a href=\"/\">Leasehold Watch</a>")
                .doesNotContain("<script", "<style", " style=", "http-equiv");
        List<String> files = Pattern.compile("href=\"(/[^\"]+\\.[^\"]+)\"")
                .matcher(page.body())
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(files).hasSize(2);
        for (String file : files) {
            assertThat(instance.get(file).statusCode()).isEqualTo(200);
        }
        assertThat(instance.answered("/").body()).contains("<a href=\"/doctor\">Doctor</a>");
    }

    @Test
    void otherPagesMayNotAsk() throws Exception {
        assertThat(instance.raw("GET /doctor HTTP/1.1\nHost: evil.example", "")).startsWith("HTTP/1.1 403");
    }

    @Test
    void emptyPoolIsSaidWithinTheBoundAndThePageComesBack() throws Exception {
        List<Connection> borrowed = new ArrayList<>();
        try (RunningInstance own = RunningInstance.on(TestPostgres.freshDatabase())) {
            for (int i = 0; i < 4; i++) {
                borrowed.add(own.bean(DataSource.class).getConnection());
            }
            long start = System.nanoTime();
            HttpResponse<String> page = own.get("/doctor");

            assertThat(page.statusCode()).isEqualTo(503);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("not as long as the pool lets others wait")
                    .isLessThan(Duration.ofSeconds(20));
            assertThat(page.body())
                    .contains("Reason: <span>all connections of the pool of 4 are in use</span>", "Look again")
                    .doesNotContain("class=\"summary\"");
            for (Connection connection : borrowed) {
                connection.close();
            }
            await().atMost(LIMIT)
                    .untilAsserted(
                            () -> assertThat(own.get("/doctor").statusCode()).isEqualTo(200));
        }
    }

    @Test
    void databaseThatRefusesConnectionsIsSaidAndThePageComesBack() throws Exception {
        TestDatabase away = TestPostgres.freshDatabase();
        try (RunningInstance own = RunningInstance.on(away)) {
            database.execute("alter database " + away.name() + " allow_connections false");
            database.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + away.name() + "'");

            await().atMost(LIMIT).untilAsserted(() -> {
                HttpResponse<String> page = own.get("/doctor");
                assertThat(page.statusCode()).isEqualTo(503);
                assertThat(page.body())
                        .contains(
                                "the database takes no connections",
                                "not currently accepting connections",
                                "Look again");
            });
            database.execute("alter database " + away.name() + " allow_connections true");
            await().atMost(LIMIT)
                    .untilAsserted(
                            () -> assertThat(own.get("/doctor").statusCode()).isEqualTo(200));
        }
    }
}
