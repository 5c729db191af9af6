package dev.leasehold.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AheadOfTimeTest {

    private final TestDatabase database = TestPostgres.freshDatabase();

    @Test
    void whatWasProcessedAheadOfTimeRunsAllTheSame() throws Exception {
        try (var instance = ApplicationInstance.start(database.jdbcUrl(), "-Dspring.aot.enabled=true")) {
            instance.await("Starting AOT-processed Application");
            instance.await("Started Application");
            assertThat(instance.sending().get(60, TimeUnit.SECONDS)).isSameAs(instance);
            assertThat(instance.get("/actuator/health")).contains("\"status\":\"UP\"", "\"leases\":[\"newsletter\"");
            assertThat(instance.get("/actuator/leases/newsletter")).contains("\"heldHere\":true");
            assertThat(instance.post("/invoices?customer=someone")
                            .get(60, TimeUnit.SECONDS)
                            .body())
                    .isEqualTo("1");
            assertThat(database.queryForLong("select count(*) from leases where name = 'invoices'"))
                    .as("the number was given out under its lease")
                    .isEqualTo(1);
            instance.await("reminders of slot ");
            assertThat(instance.terminate()).isEqualTo(143);
        }
    }
}
