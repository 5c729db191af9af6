package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.Rounds;
import dev.leasehold.testkit.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The lines of the README, run. */
class ReadmeExampleTest {

    private final DataSource dataSource = TestPostgres.freshDatabase().dataSource();
    private final AtomicInteger oldRows = new AtomicInteger(3);
    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final CountDownLatch refreshed = new CountDownLatch(1);

    @Test
    void theTenLinesOfTheReadmeWork() throws Exception {
        // README begins
        try (Leases leases = Leases.on(dataSource).build()) {
            leases.tryRun("nightly-cleanup", lease -> {
                while (lease.isHeld() && deleteSomeOldRows()) {
                    report("deleted some more under fence " + lease.fence());
                }
            });

            Round prices = Round.named("prices").every(Duration.ofSeconds(30)).work(context -> refresh(context.slot()));
            Rounds rounds = Rounds.on(leases).node("node-a").add(prices).start();
            try {
                serveUntilShutdown();
            } finally {
                rounds.stop(Duration.ofSeconds(20));
            }
        }
        // README ends
        assertThat(reports).hasSize(3);
    }

    @Test
    void theReadmeShowsThoseLines() throws Exception {
        String source = Files.readString(Path.of("src/test/java/dev/leasehold/ReadmeExampleTest.java"));
        String readme = Files.readString(Path.of("../README.md"));
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

    private boolean deleteSomeOldRows() {
        return oldRows.getAndDecrement() > 0;
    }

    private void report(String line) {
        reports.add(line);
    }

    private void refresh(Instant slot) {
        assertThat(slot.getEpochSecond() % 30).isZero();
        refreshed.countDown();
    }

    private void serveUntilShutdown() throws InterruptedException {
        assertThat(refreshed.await(20, TimeUnit.SECONDS)).isTrue();
    }
}
