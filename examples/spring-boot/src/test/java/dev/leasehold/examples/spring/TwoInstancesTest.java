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

    private static final String ALL_AS_IT_SHOULD = "all as it should be";
    private static final int TRIES = 5;
    private static final String SLOT = "reminders of slot ";

    private final TestDatabase database = TestPostgres.freshDatabase();

    @Test
    void theJobRunsOnOneInstanceAndTheOtherTakesOverWhenThatIsKilled() throws Exception {
        long killed;
        try (var first = ApplicationInstance.start(database.jdbcUrl());
                var second = ApplicationInstance.start(database.jdbcUrl())) {
            first.await("Started Application");
            second.await("Started Application");
            assertInvoicesHaveNoGaps(first, second);

            String seen = "";
            for (int time = 1; time <= TRIES && !seen.equals(ALL_AS_IT_SHOULD); time++) {
                var sender = awaitSender(first, second, "taken_at > clock_timestamp() - interval '2 s'");
                seen = seenWhileItSends(sender, sender == first ? second : first);
            }
            assertThat(seen).isEqualTo(ALL_AS_IT_SHOULD);

            var sender = frozenWhileItSends(first, second);
            var other = sender == first ? second : first;
            sender.kill();
            killed = sender.pid();
            other.await("lease newsletter taken over");
            assertThat(other.lines())
                    .anyMatch(line -> line.contains("lease newsletter taken over")
                            && line.contains("1 holder(s) before it died without a release"));
            other.await("letter 1 of 10");
            assertThat(other.terminate()).as("what the JVM answers to SIGTERM").isEqualTo(143);
            assertThat(other.after(": letter "))
                    .as("work ends before its lease")
                    .last()
                    .isEqualTo("10 of 10");

            assertThat(Stream.concat(sender.after(SLOT), other.after(SLOT)).toList())
                    .as("each slot on one instance")
                    .isNotEmpty()
                    .doesNotHaveDuplicates();
        }
        assertThat(database.queryForLong(
                        "select count(*) from leases where expires_at <> 'epoch' and split_part(holder, ':', 2) <> '"
                                + killed + "'"))
                .as("leases that were not released")
                .isZero();
    }

    /** The one that sends the newsletter, which takes five seconds, and whose lease is like that. */
    private ApplicationInstance awaitSender(ApplicationInstance first, ApplicationInstance second, String condition)
            throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() - end < 0) {
            for (ApplicationInstance one : List.of(first, second)) {
                if (holdsNewsletter(one, condition)) {
                    return one;
                }
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new AssertionError("nobody sends the newsletter");
    }

    private boolean holdsNewsletter(ApplicationInstance one, String condition) throws Exception {
        return database.queryForLong("select count(*) from leases where name = 'newsletter'"
                        + " and expires_at > clock_timestamp() and split_part(holder, ':', 2) = '" + one.pid()
                        + "' and " + condition)
                == 1;
    }

    /** Something else if this thread comes too late, and the newsletter is sent already. */
    private static String seenWhileItSends(ApplicationInstance sender, ApplicationInstance other) throws Exception {
        long lettersOfTheOther = other.after(": letter ").count();
        String health = sender.get("/actuator/health");
        String othersHealth = other.get("/actuator/health");
        String row = other.get("/actuator/leases/newsletter");
        String ownRow = sender.get("/actuator/leases/newsletter");
        boolean isAsItShould = health.contains("\"leases\":{\"details\":{\"held\":")
                && health.contains("\"leases\":[\"newsletter\"]")
                && othersHealth.contains("\"status\":\"UP\"")
                && othersHealth.contains("\"held\":0")
                && row.contains("\"name\":\"newsletter\"")
                && row.contains("\"held\":true")
                && row.contains("\"heldHere\":false")
                && ownRow.contains("\"heldHere\":true")
                && other.after(": letter ").count() == lettersOfTheOther;
        return isAsItShould ? ALL_AS_IT_SHOULD : String.join("\n", health, othersHealth, row, ownRow);
    }

    /** As long as it is frozen, it cannot end its work, however late this thread is. */
    private ApplicationInstance frozenWhileItSends(ApplicationInstance first, ApplicationInstance second)
            throws Exception {
        for (int time = 1; time <= TRIES; time++) {
            ApplicationInstance sender = awaitSender(first, second, "true");
            sender.freeze();
            if (holdsNewsletter(sender, "true")) {
                return sender;
            }
            sender.thaw();
        }
        throw new AssertionError("nobody was caught while it sends");
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
