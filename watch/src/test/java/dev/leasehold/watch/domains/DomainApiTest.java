package dev.leasehold.watch.domains;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.watch.running.RunningInstance;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DomainApiTest {

    private static RunningInstance instance;

    @BeforeAll
    static void start() {
        instance = RunningInstance.on(TestPostgres.freshDatabase());
    }

    @AfterAll
    static void stop() {
        instance.close();
    }

    @Test
    void domainIsStoredInOneFormHoweverItIsWritten() throws Exception {
        HttpResponse<String> added = instance.postJson("/api/domains", "{\"name\": \"B\u00dccher.example.\"}");

        assertThat(added.statusCode()).isEqualTo(201);
        assertThat(added.body()).contains("\"name\":\"xn--bcher-kva.example\"").contains("\"source\":\"api\"");
        assertThat(instance.postJson("/api/domains", "{\"name\": \"xn--bcher-kva.example\"}")
                        .statusCode())
                .isEqualTo(409);
        assertThat(instance.get(added.headers().firstValue("Location").orElseThrow())
                        .body())
                .isEqualTo(added.body());
        assertThat(instance.get("/api/domains").body()).isEqualTo("[" + added.body() + "]");
        assertThat(instance.delete("/api/domains/XN--bcher-kva.example").statusCode())
                .isEqualTo(204);
        assertThat(instance.get("/api/domains").body()).isEqualTo("[]");
    }

    @Test
    void anAddressIsNoDomain() throws Exception {
        HttpResponse<String> refused = instance.postJson("/api/domains", "{\"name\": \"192.0.2.1\"}");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("name is '192.0.2.1': must be a name, not an address");
    }
}
