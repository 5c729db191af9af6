package dev.leasehold.watch.alerts;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.leasehold.watch.testing.Hook;
import dev.leasehold.watch.testing.MigratedDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.slf4j.LoggerFactory;

/** What tests of the alerts have in common: a database, a webhook, and what the log says. */
class AlertScene {

    final MigratedDatabase database = new MigratedDatabase();
    final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(Delivery.class);
    Hook hook;

    @BeforeEach
    void start() throws IOException {
        hook = new Hook();
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(logged);
        hook.close();
        database.close();
    }

    /** As a process that has just started would do it. */
    AlertJob newJob(@Nullable String webhook) {
        return newJob(webhook, Duration.ofSeconds(20));
    }

    AlertJob newJob(@Nullable String webhook, Duration webhookTimeout) {
        return AlertConfiguration.job(
                new AlertProperties(
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(40),
                        webhook,
                        webhookTimeout,
                        32,
                        Duration.ofSeconds(30),
                        Duration.ofHours(1)),
                database.jdbc(),
                database.transactions());
    }

    void evaluate() throws InterruptedException {
        newJob(hook.url()).run(() -> true);
    }

    long monitor(String name) {
        return database.addMonitor(name, "http://" + name + ".example/", Duration.ofSeconds(5));
    }

    void setWebhook(long monitor, String url) {
        database.aside()
                .sql("update monitor set webhook_url = :url where id = :id")
                .param("url", url)
                .param("id", monitor)
                .update();
    }

    /** A result of the newest slot, as of so many seconds ago. */
    void saw(long monitor, String node, String outcome, int secondsAgo) {
        database.aside()
                .sql("""
                        insert into check_result (monitor_id, node, slot, outcome, duration_ms, detail, checked_at)
                        values (:monitor, :node, clock_timestamp() - make_interval(secs => :ago), :outcome, 1, :detail,
                                clock_timestamp() - make_interval(secs => :ago))
                        """)
                .param("monitor", monitor)
                .param("node", node)
                .param("outcome", outcome)
                .param("ago", secondsAgo)
                .param("detail", "it was " + outcome)
                .update();
    }

    void saw(long monitor, String outcome) {
        saw(monitor, "node-a", outcome, 0);
    }

    List<String> transitions() {
        return rows("select coalesce(from_state, '-') || '>' || to_state || ' ' || seq from transition"
                + " order by monitor_id, seq");
    }

    List<String> rows(String sql) {
        return database.aside().sql(sql).query(String.class).list();
    }

    void letTimePass() {
        database.aside()
                .sql("update outbox set next_attempt_at = now() where delivered_at is null")
                .update();
    }

    List<String> lines() {
        return logged.list.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }
}
