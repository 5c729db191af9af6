package dev.leasehold.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestDatabase;
import dev.leasehold.testkit.TestPostgres;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TwoInstancesTest {

    private static final String SLOT = "reminders of slot ";

    private final TestDatabase database = TestPostgres.freshDatabase();

    @Test
    void theJobRunsOnOneInstanceAndTheOtherTakesOverWhenThatIsKilled() throws Exception {
        try (var first = ApplicationInstance.start(database.jdbcUrl());
                var second = ApplicationInstance.start(database.jdbcUrl())) {
            first.await("Started Application");
            second.await("Started Application");
            var sender = (ApplicationInstance)
                    CompletableFuture.anyOf(first.sending(), second.sending()).get(60, TimeUnit.SECONDS);
            var other = sender == first ? second : first;
            assertInvoicesHaveNoGaps(first, second);

            sender.await("letter 4 of 10");
            assertThat(other.sending()).isNotDone();
            assertThat(sender.get("/actuator/health"))
                    .contains("\"leases\":{\"details\":{\"held\":")
                    .contains("\"leases\":[\"newsletter\"]");
            assertThat(other.get("/actuator/health")).contains("\"status\":\"UP\"", "\"held\":0");
            assertThat(other.get("/actuator/leases/newsletter"))
                    .contains("\"name\":\"newsletter\"", "\"held\":true", "\"heldHere\":false");
            assertThat(sender.get("/actuator/leases/newsletter")).contains("\"heldHere\":true");

            sender.kill();
            other.await("letter 1 of 10");
            assertThat(other.lines())
                    .anyMatch(line -> line.contains("lease newsletter taken over")
                            && line.contains("1 holder(s) before it died without a release"));
            assertThat(other.terminate()).as("what the JVM answers to SIGTERM").isEqualTo(143);
            assertThat(other.lines())
                    .as("work ends before its lease")
                    .anyMatch(line -> line.contains("letter 10 of 10"));

            assertThat(Stream.concat(sender.after(SLOT), other.after(SLOT)).toList())
                    .as("each slot on one instance")
                    .isNotEmpty()
                    .doesNotHaveDuplicates();
        }
        assertThat(database.queryForLong("select count(*) from leases where expires_at <> 'epoch'"))
                .as("leases that were not released")
                .isZero();
    }

    private void assertInvoicesHaveNoGaps(ApplicationInstance... instances) throws Exception {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            for (ApplicationInstance instance : instances) {
                answers.add(instance.post("/invoices?customer=someone"));
            }
        }
        List<Long> numbers = new ArrayList<>();
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            HttpResponse<String> response = answer.get(60, TimeUnit.SECONDS);
            if (response.statusCode() == 200) {
                numbers.add(Long.parseLong(response.body()));
            } else {
                assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
            }
        }
        assertThat(numbers)
                .isNotEmpty()
                .containsExactlyInAnyOrder(
                        LongStream.rangeClosed(1, numbers.size()).boxed().toArray(Long[]::new));
    }
}
