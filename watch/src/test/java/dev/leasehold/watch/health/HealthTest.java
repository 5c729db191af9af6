package dev.leasehold.watch.health;

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
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.event.ContextClosedEvent;

class HealthTest {

    private static final Duration NOT_AS_LONG_AS_THE_POOL = Duration.ofSeconds(20);
    private static final TestDatabase database = TestPostgres.freshDatabase();
    private static RunningInstance instance;

    @BeforeAll
    static void start() {
        instance = RunningInstance.on(database, "spring.datasource.hikari.connection-timeout=60000");
    }

    @AfterAll
    static void stop() {
        instance.close();
    }

    @Test
    void readyWhileTheDatabaseAnswers() throws Exception {
        HttpResponse<String> ready = instance.answered("/health/ready");

        assertThat(ready.statusCode()).isEqualTo(200);
        assertThat(ready.body()).isEqualTo("{\"status\":\"ready\"}");
    }

    @Test
    void emptyPoolIsUnreadyWithinASecondAndReadyAgainOnceAConnectionIsBack() throws Exception {
        List<Connection> borrowed = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                borrowed.add(instance.bean(DataSource.class).getConnection());
            }
            long start = System.nanoTime();
            HttpResponse<String> ready = instance.get("/health/ready");
            Duration took = Duration.ofNanos(System.nanoTime() - start);

            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).contains("\"reason\":\"pool empty\"").contains("pool of 4");
            assertThat(took).isBetween(Duration.ofMillis(900), NOT_AS_LONG_AS_THE_POOL);
            assertThat(instance.get("/up").statusCode()).isEqualTo(200);
        } finally {
            for (Connection connection : borrowed) {
                connection.close();
            }
        }
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() ->
                        assertThat(instance.get("/health/ready").statusCode()).isEqualTo(200));
    }

    @Test
    void upAnswersWhileThePoolIsEmptyAndBorrowsNothing() throws Exception {
        List<Connection> borrowed = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                borrowed.add(instance.bean(DataSource.class).getConnection());
            }
            long start = System.nanoTime();
            HttpResponse<String> up = instance.get("/up");

            assertThat(up.body()).isEqualTo("up\n");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(NOT_AS_LONG_AS_THE_POOL);
        } finally {
            for (Connection connection : borrowed) {
                connection.close();
            }
        }
    }

    @Test
    void unreadyOnceTheContextIsShuttingDown() throws Exception {
        try (RunningInstance other = RunningInstance.on(TestPostgres.freshDatabase())) {
            other.context().publishEvent(new ContextClosedEvent(other.context()));

            HttpResponse<String> ready = other.get("/health/ready");

            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).contains("\"reason\":\"shutting down\"");
            assertThat(other.get("/up").statusCode()).isEqualTo(200);
        }
    }
}
