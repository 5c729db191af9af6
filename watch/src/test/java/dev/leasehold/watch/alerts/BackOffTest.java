package dev.leasehold.watch.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackOffTest {

    private final BackOff backOff = new BackOff(Duration.ofSeconds(30), Duration.ofMinutes(5));

    @Test
    void waitDoublesUpToTheMost() {
        assertThat(backOff.after(1)).isEqualTo(Duration.ofSeconds(30));
        assertThat(backOff.after(2)).isEqualTo(Duration.ofMinutes(1));
        assertThat(backOff.after(4)).isEqualTo(Duration.ofMinutes(4));
        assertThat(backOff.after(5)).isEqualTo(Duration.ofMinutes(5));
        assertThat(backOff.after(Integer.MAX_VALUE)).isEqualTo(Duration.ofMinutes(5));
    }
}
