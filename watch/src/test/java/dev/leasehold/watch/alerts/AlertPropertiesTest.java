package dev.leasehold.watch.alerts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.watch.testing.Properties;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AlertPropertiesTest {

    @Test
    void defaults() {
        assertThat(Properties.bound("watch.alerts", AlertProperties.class, Map.of()))
                .isEqualTo(new AlertProperties(
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(40),
                        null,
                        Duration.ofSeconds(10),
                        32,
                        Duration.ofSeconds(30),
                        Duration.ofHours(1)));
    }

    @Test
    void webhookForAllMonitorsIsTaken() {
        assertThat(Properties.bound(
                                "watch.alerts",
                                AlertProperties.class,
                                Map.of("watch.alerts.webhook-url", "https://hooks.example/x"))
                        .webhookUrl())
                .isEqualTo("https://hooks.example/x");
    }

    @ParameterizedTest
    @CsvSource({
        "period, 0s, watch.alerts.period is PT0S; but must be at least 100ms",
        "fresh-for, 29s, watch.alerts.fresh-for is PT29S; but must be at least watch.alerts.period; which is PT30S",
        "webhook-timeout, 2m, watch.alerts.webhook-timeout is PT2M; but must be from 100ms to 1m",
        "webhooks-at-once, 0, watch.alerts.webhooks-at-once is 0; but must be from 1 to 1000",
        "retry-first, 0s, watch.alerts.retry-first is PT0S; but must be longer than zero",
        "retry-most, 1s, watch.alerts.retry-most is PT1S; but must be at least watch.alerts.retry-first; which is PT30S",
    })
    void badValueIsRefusedByNameValueAndRule(String name, String value, String reason) {
        assertThat(Properties.refusal("watch.alerts", AlertProperties.class, name, value))
                .isEqualTo(reason.replace(';', ','));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://hooks.example/s3cret",
                "/s3cret",
                "https://hooks.example:99999/s3cret",
                "https://hooks.example/s3cret#x",
                "https://user:s3cret@hooks.example/",
                "https://hooks.example/s3cret with blanks",
                "https://hooks.example/s3cret^",
            })
    void badWebhookIsRefusedAndNotShown(String url) {
        Throwable refused = catchThrowable(
                () -> Properties.bound("watch.alerts", AlertProperties.class, Map.of("watch.alerts.webhook-url", url)));

        assertThat(refused)
                .hasRootCauseMessage("watch.alerts.webhook-url is (not shown), but must be"
                        + " an http or https URL with a host, without user, password or fragment");
        var stackTrace = new StringWriter();
        refused.printStackTrace(new PrintWriter(stackTrace));
        assertThat(stackTrace.toString()).doesNotContain("s3cret");
    }

    @Test
    void webhookIsNotShownWithTheOtherSettings() {
        assertThat(Properties.bound(
                                "watch.alerts",
                                AlertProperties.class,
                                Map.of("watch.alerts.webhook-url", "https://hooks.example/s3cret"))
                        .toString())
                .doesNotContain("s3cret");
    }
}
