package dev.leasehold.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.Rounds;
import dev.leasehold.testkit.TestPostgres;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The lines of the README, run. */
class ReadmeExampleTest {

    private final DataSource dataSource = TestPostgres.freshDatabase().dataSource();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CountDownLatch refreshed = new CountDownLatch(1);

    @Test
    void theLinesOfTheReadmeWork() throws Exception {
        // README begins
        var meters = new LeaseholdMeters(registry);
        try (Leases leases = Leases.on(dataSource).metrics(meters).build()) {
            Round prices = Round.named("prices").every(Duration.ofSeconds(30)).work(context -> refresh());
            Rounds rounds = Rounds.on(leases).listener(meters).add(prices).start();
            meters.bind(leases);
            meters.bind(rounds);
            try {
                serveUntilShutdown();
            } finally {
                rounds.stop(Duration.ofSeconds(20));
                meters.unbind(rounds);
                meters.unbind(leases);
            }
        }
        // README ends
        assertThat(registry.get("leasehold.rounds.counted")
                        .tag("round", "prices")
                        .counter()
                        .count())
                .isPositive();
        assertThat(registry.find("leasehold.rounds.healthy").gauges()).isEmpty();
    }

    @Test
    void theReadmeShowsThoseLines() throws Exception {
        String source = Files.readString(Path.of("src/test/java/dev/leasehold/micrometer/ReadmeExampleTest.java"));
        String readme = Files.readString(Path.of("README.md"));
        assertThat(words(between(readme, "```java\n", "```")))
                .isEqualTo(words(between(source, "// README begins\n", "// README ends")));
    }

    private static String between(String text, String from, String to) {
        int start = text.indexOf(from) + from.length();
        return text.substring(start, text.indexOf(to, start));
    }

    private static String words(String text) {
        return text.replaceAll("\\s+", "");
    }

    private void refresh() {
        refreshed.countDown();
    }

    private void serveUntilShutdown() throws InterruptedException {
        assertThat(refreshed.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
