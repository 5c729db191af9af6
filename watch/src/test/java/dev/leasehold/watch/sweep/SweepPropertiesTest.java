package dev.leasehold.watch.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.watch.testing.Properties;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SweepPropertiesTest {

    @Test
    void defaults() {
        assertThat(Properties.bound("watch.sweep", SweepProperties.class, Map.of()))
                .isEqualTo(new SweepProperties(
                        Duration.ofHours(1),
                        Duration.ofDays(30),
                        Duration.ofDays(1),
                        1000,
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(1)));
    }

    @ParameterizedTest
    @CsvSource({
        "period, 0s, watch.sweep.period is PT0S; but must be at least 100ms",
        "result-retention, 59s, watch.sweep.result-retention is PT59S; but must be at least 1m",
        "instance-retention, 1m, watch.sweep.instance-retention is PT1M; but must be at least 10m",
        "batch-size, 0, watch.sweep.batch-size is 0; but must be from 1 to 100000",
        "budget, 1ms, watch.sweep.budget is PT0.001S; but must be at least 100ms",
        "lock-timeout, 0s, watch.sweep.lock-timeout is PT0S; but must be from 1ms to 1m",
    })
    void badValueIsRefusedByNameValueAndRule(String name, String value, String reason) {
        assertThat(Properties.refusal("watch.sweep", SweepProperties.class, name, value))
                .isEqualTo(reason.replace(';', ','));
    }
}
