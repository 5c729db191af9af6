package dev.leasehold.watch.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Leases;
import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.watch.running.RunningInstance;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PageTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int TRIES = 5;
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

    @Test
    void freshSystemSaysWhatWillComeInsteadOfEmptyTables() throws Exception {
        try (RunningInstance fresh = RunningInstance.on(TestPostgres.freshDatabase())) {
            HttpResponse<String> page = fresh.answered("/");

            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body())
                    .contains("Served by <strong>node-a</strong>")
                    .contains("No lease was ever taken")
                    .contains("Nothing is watched yet")
                    .contains("No domain's mail security is checked yet");
        }
    }

    @Test
    void newestResultOfEachNodeIsShownAndAnOlderOneIsNot() throws Exception {
        database.execute(
                "insert into instance (id, node, pid, url) values ('h:1:a', 'node-x', 1, 'http://127.0.0.1:1')");
        database.execute("insert into monitor (name, url, source) values ('shop', 'https://shop.example/up', 'api')");
        database.execute("""
                insert into check_result (monitor_id, node, slot, outcome, status_code, duration_ms, detail)
                select m.id, 'node-x', now() - make_interval(secs => age), outcome, code, 7, detail
                  from monitor m,
                       (values (20, 'up', 200, 'old news'), (10, 'down', 503, 'new news')) r (age, outcome, code, detail)
                 where m.name = 'shop'
                """);
        database.execute(
                "insert into monitor_state select id, 'down', 1, now() - interval '5 min' from monitor where name = 'shop'");

        String page = instance.answered("/").body();

        assertThat(page)
                .contains("https://shop.example/up", "new news (7 ms)", "5 min ", "status bad\">down")
                .doesNotContain("old news");
        assertThat(instance.answered("/live").body()).contains("new news").doesNotContain("<html");
    }

    @Test
    void findingThatOutlivedAFailedLookUpIsShownWithItsOwnAge() throws Exception {
        database.execute("insert into domain (name, source) values ('old.example', 'api'), ('fresh.example', 'api')");
        database.execute("""
                insert into mail_check (domain_id, checked_at, conclusive)
                select id, now() - interval '2 min', name = 'fresh.example' from domain
                """);
        database.execute("""
                insert into mail_finding (domain_id, subject, status, explanation, found_at)
                select id, 'spf', 'ok', 'of old', now() - interval '3 h' from domain where name = 'old.example'
                """);
        try {
            String page = instance.answered("/").body();

            assertThat(page.split("status warn\">the last look-up failed", -1)).hasSize(2);
            assertThat(page.substring(page.indexOf("old.example")))
                    .containsSubsequence("2 min", "the last look-up failed", "of old", "Found", "3 h ");
        } finally {
            database.execute("delete from domain");
        }
    }

    @Test
    void allButTheLeasesIsReadAsItStoodAtOneMoment() throws Exception {
        HttpResponse<String> page = pageThatWaitsWhileADomainIsAdded();
        // a page that had to wait for longer than its bound tells nothing
        for (int time = 2; time <= TRIES && page.statusCode() == 503; time++) {
            database.execute("delete from domain");
            page = pageThatWaitsWhileADomainIsAdded();
        }

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).doesNotContain("later.example");
        assertThat(instance.answered("/").body()).contains("later.example");
        database.execute("delete from domain");
    }

    private static HttpResponse<String> pageThatWaitsWhileADomainIsAdded() throws Exception {
        instance.answered("/");
        CompletableFuture<HttpResponse<String>> page;
        try (Connection other = database.connect();
                var statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("lock table monitor in access exclusive mode");
            page = CompletableFuture.supplyAsync(() -> {
                try {
                    return instance.get("/");
                } catch (IOException | InterruptedException e) {
                    throw new CompletionException(e);
                }
            });
            await().atMost(LIMIT).pollInterval(Duration.ofMillis(20)).until(() -> database.queryForLong("""
                            select count(*)
                              from pg_locks
                             where relation = 'monitor'::regclass
                               and not granted
                            """) == 1);
            statement.execute("insert into domain (name, source) values ('later.example', 'api')");
            other.commit();
        }
        return page.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void leaseThatIsHeldIsShownWithItsHolderAndFence() throws Exception {
        try (var lease =
                instance.bean(Leases.class).tryAcquire("held-lease").lease().orElseThrow()) {
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(instance.answered("/").body())
                            .contains("held-lease", lease.holder(), Long.toString(lease.fence()), "status busy\">held")
                            .contains("<strong>node-a</strong> <code>" + lease.holder()));
        }
    }

    @Test
    void leaseWithoutEndAFarSlotAndALongNameAreShown() throws Exception {
        String name = "<b>".repeat(170) + "xy";
        database.execute("insert into leases (name, holder, taken_at, expires_at, done_slot) values "
                + "('" + name + "', '<i>holder</i>', now(), 'infinity', '294000-01-01'), "
                + "('endless-rest', '-', '-infinity', 'infinity', 'infinity')");
        try {
            HttpResponse<String> page = instance.answered("/");

            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body())
                    .contains("&lt;b&gt;".repeat(170) + "xy", "&lt;i&gt;holder&lt;/i&gt;", "endless-rest")
                    .contains("data-label=\"Time left\">without end</td>")
                    .containsPattern("status off\">resting</span></td>\\s*<td data-label=\"Time left\">without end")
                    .doesNotContain("<b>", "<i>");
        } finally {
            database.execute("delete from leases");
        }
    }

    @Test
    void textFromOutsideIsNeverMarkup() throws Exception {
        instance.postJson(
                "/api/monitors", "{\"name\": \"<script>alert(1)</script>\", \"url\": \"https://a.example/?<>\"}");
        database.execute("""
                insert into monitor (name, url, source)
                values ('<img src=x onerror=alert(1)>', 'https://a.example/', 'api')
                """);

        assertThat(instance.answered("/").body())
                .doesNotContain("<img", "<script>alert")
                .contains("&lt;img src=x onerror=alert(1)&gt;");
    }

    @Test
    void pageHasNoInlineScriptOrStyleAndRefreshesWithAndWithoutScripts() throws Exception {
        HttpResponse<String> page = instance.answered("/");

        assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(page.body())
                .contains("hx-get=\"/live\"", "hx-trigger=\"every 2s\"")
                .contains("<noscript><meta http-equiv=\"refresh\"")
                .doesNotContain("<style", " style=", " onclick=")
                .doesNotContainPattern("<script(?![^>]* src=)");
        List<String> files = Pattern.compile("(?:href|src)=\"(/[^\"]+\\.[^\"]+)\"")
                .matcher(page.body())
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(files).hasSize(4);
        for (String file : files) {
            // the name changes with the content, so that a browser never mixes two versions
            assertThat(file).containsPattern("-[0-9a-f]{32}\\.|/2\\.0\\.10/");
            assertThat(instance.get(file).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void emptyPoolIsSaidWithinTheBoundAndThePageComesBack() throws Exception {
        List<Connection> borrowed = new ArrayList<>();
        try (RunningInstance own =
                RunningInstance.on(TestPostgres.freshDatabase(), "spring.datasource.hikari.connection-timeout=60000")) {
            for (int i = 0; i < 4; i++) {
                borrowed.add(own.bean(DataSource.class).getConnection());
            }
            long start = System.nanoTime();
            HttpResponse<String> live = own.get("/live");

            assertThat(live.statusCode()).isEqualTo(503);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("not as long as the pool lets others wait")
                    .isLessThan(Duration.ofSeconds(20));
            assertThat(live.body()).contains("No news from the database").doesNotContain("<table");
            assertThat(own.get("/").statusCode()).isEqualTo(503);
            for (Connection connection : borrowed) {
                connection.close();
            }
            await().atMost(LIMIT)
                    .untilAsserted(
                            () -> assertThat(own.get("/live").statusCode()).isEqualTo(200));
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
                HttpResponse<String> page = own.get("/");
                assertThat(page.statusCode()).isEqualTo(503);
                assertThat(page.body()).contains("not currently accepting connections", "hx-trigger");
            });
            database.execute("alter database " + away.name() + " allow_connections true");
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(own.get("/").statusCode()).isEqualTo(200));
        }
    }
}
