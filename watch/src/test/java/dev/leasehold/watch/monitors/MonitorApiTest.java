package dev.leasehold.watch.monitors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.watch.running.RunningInstance;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class MonitorApiTest {

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

    @AfterEach
    void removeAll() throws Exception {
        database.execute("delete from monitor");
    }

    @Test
    void monitorIsAddedReadByNameOrIdAndRemoved() throws Exception {
        HttpResponse<String> added = instance.postJson("/api/monitors", """
                {"name": "my shop", "url": "https://shop.example/up", "timeout": "2s", "webhook": "https://hooks.example/x"}
                """);

        assertThat(added.statusCode()).isEqualTo(201);
        String location = added.headers().firstValue("Location").orElseThrow();
        assertThat(added.body())
                .contains("\"name\":\"my shop\"", "\"timeout\":\"2000ms\"", "\"source\":\"api\"", "hooks.example");
        assertThat(instance.get(location).body()).isEqualTo(added.body());
        assertThat(instance.get("/api/monitors/my%20shop").body()).isEqualTo(added.body());
        assertThat(instance.get("/api/monitors").body()).isEqualTo("[" + added.body() + "]");

        assertThat(instance.delete("/api/monitors/my%20shop").statusCode()).isEqualTo(204);
        assertThat(instance.get(location).statusCode()).isEqualTo(404);
        assertThat(instance.delete(location).statusCode()).isEqualTo(404);
    }

    @Test
    void aNameOfDigitsTakesNoOtherMonitorsAddressAway() throws Exception {
        String location = instance.postJson("/api/monitors", "{\"name\": \"first\", \"url\": \"https://a.example\"}")
                .headers()
                .firstValue("Location")
                .orElseThrow();
        String id = location.substring(location.lastIndexOf('/') + 1);
        instance.postJson("/api/monitors", "{\"name\": \"" + id + "\", \"url\": \"https://b.example\"}");

        assertThat(instance.delete(location).statusCode()).isEqualTo(204);
        assertThat(database.queryForString("select url from monitor")).isEqualTo("https://b.example");
    }

    @Test
    void timeoutMayBeANumberOfMilliseconds() throws Exception {
        assertThat(instance.postJson(
                                "/api/monitors", "{\"name\": \"a\", \"url\": \"https://a.example\", \"timeout\": 250}")
                        .body())
                .contains("\"timeout\":\"250ms\"");
    }

    @Test
    void secondOneOfANameIsAConflict() throws Exception {
        String json = "{\"name\": \"shop\", \"url\": \"https://shop.example\"}";
        instance.postJson("/api/monitors", json);

        HttpResponse<String> second = instance.postJson("/api/monitors", json);

        assertProblem(second, 409, "there is a monitor of the name 'shop' already");
    }

    @Test
    void brokenRuleIsNamedWithFieldAndValue() throws Exception {
        HttpResponse<String> refused =
                instance.postJson("/api/monitors", "{\"name\": \"shop\", \"url\": \"gopher://shop.example\"}");

        assertProblem(refused, 400, "url is 'gopher://shop.example': must begin with http:// or https://");
        assertThat(refused.body()).contains("\"field\":\"url\"");
        assertProblem(instance.postJson("/api/monitors", "{\"url\": \"https://a.example\"}"), 400, "name is '': must");
    }

    @Test
    void webhookThatBreaksARuleIsNotRepeated() throws Exception {
        HttpResponse<String> refused = instance.postJson(
                "/api/monitors",
                "{\"name\": \"shop\", \"url\": \"https://a.example\", \"webhook\": \"hooks.example/secret\"}");

        assertProblem(refused, 400, "webhook is '(not shown)': must begin with http:// or https://");
        assertThat(refused.body()).doesNotContain("secret");
    }

    @Test
    void brokenJsonIsAnsweredWithItsPlace() throws Exception {
        assertProblem(instance.postJson("/api/monitors", "{\"name\": \"shop\",\n"), 400, "line 2");
        assertProblem(instance.postJson("/api/monitors", ""), 400, "must be a JSON object");
        assertProblem(instance.postJson("/api/monitors", "[]"), 400, "must be a JSON object with texts");
        assertProblem(instance.postJson("/api/monitors", "{\"name\": {}}"), 400, "must be a JSON object with texts");
        assertProblem(instance.postJson("/api/monitors", "{\"nmae\": \"shop\"}"), 400, "unknown field 'nmae'");
    }

    @Test
    void unknownMonitorAndWrongMethodAreProblemsToo() throws Exception {
        assertProblem(instance.get("/api/monitors/nobody"), 404, "there is no monitor of the name or id 'nobody'");
        assertProblem(instance.delete("/api/monitors"), 405, "not supported");
    }

    @Test
    void databaseWithoutTheTableIsAnErrorOfOursWithoutDetails() throws Exception {
        database.execute("alter table monitor rename to away");
        try {
            HttpResponse<String> failed = instance.get("/api/monitors");

            assertProblem(failed, 500, "see the log");
            assertThat(failed.body()).doesNotContain("SQL").doesNotContain("relation");
        } finally {
            database.execute("alter table away rename to monitor");
        }
    }

    private static void assertProblem(HttpResponse<String> response, int status, String detail) {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(response.body()).contains(detail).contains("\"status\":" + status);
        assertThat(response.body()).doesNotContain("dev.leasehold").doesNotContain("java.");
    }
}
