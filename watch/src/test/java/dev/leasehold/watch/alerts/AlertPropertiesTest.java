package dev.leasehold.watch.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.watch.testing.Properties;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                .isEqualTo(URI.create("https://hooks.example/x"));
    }

    @ParameterizedTest
    @CsvSource({
        "period, 0s, watch.alerts.period is PT0S; but must be at least 100ms",
        "fresh-for, 29s, watch.alerts.fresh-for is PT29S; but must be at least watch.alerts.period; which is PT30S",
        "webhook-url, ftp://x/, watch.alerts.webhook-url is ftp://x/; but must be an http or https URL with a host",
        "webhook-url, /x, watch.alerts.webhook-url is /x; but must be an http or https URL with a host",
        "webhook-timeout, 2m, watch.alerts.webhook-timeout is PT2M; but must be from 100ms to 1m",
        "webhooks-at-once, 0, watch.alerts.webhooks-at-once is 0; but must be from 1 to 1000",
        "retry-first, 0s, watch.alerts.retry-first is PT0S; but must be longer than zero",
        "retry-most, 1s, watch.alerts.retry-most is PT1S; but must be at least watch.alerts.retry-first; which is PT30S",
    })
    void badValueIsRefusedByNameValueAndRule(String name, String value, String reason) {
        assertThat(Properties.refusal("watch.alerts", AlertProperties.class, name, value))
                .isEqualTo(reason.replace(';', ','));
    }
}
