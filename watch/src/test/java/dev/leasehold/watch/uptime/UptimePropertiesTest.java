package dev.leasehold.watch.uptime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.watch.testing.Properties;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.util.unit.DataSize;

class UptimePropertiesTest {

    @Test
    void nothingConfiguredMeansEveryTenSecondsEightAtATime() {
        UptimeProperties properties = Properties.bound("watch.uptime", UptimeProperties.class, Map.of());

        assertThat(properties).isEqualTo(new UptimeProperties(Duration.ofSeconds(10), 8, DataSize.ofMegabytes(1)));
    }

    @Test
    void configuredValuesAreTaken() {
        UptimeProperties properties = Properties.bound(
                "watch.uptime",
                UptimeProperties.class,
                Map.of(
                        "watch.uptime.period",
                        "500ms",
                        "watch.uptime.parallelism",
                        "3",
                        "watch.uptime.body-limit",
                        "64KB"));

        assertThat(properties).isEqualTo(new UptimeProperties(Duration.ofMillis(500), 3, DataSize.ofKilobytes(64)));
    }

    @ParameterizedTest
    @CsvSource({
        "period, 99ms, watch.uptime.period is PT0.099S; but must be at least 100ms",
        "period, -1s, watch.uptime.period is PT-1S; but must be at least 100ms",
        "parallelism, 0, watch.uptime.parallelism is 0; but must be from 1 to 256",
        "parallelism, 257, watch.uptime.parallelism is 257; but must be from 1 to 256",
        "body-limit, 0B, watch.uptime.body-limit is 0B; but must be at least 1B",
    })
    void badValueIsRefusedByNameValueAndRule(String name, String value, String reason) {
        assertThat(Properties.refusal("watch.uptime", UptimeProperties.class, name, value))
                .isEqualTo(reason.replace(';', ','));
    }
}
