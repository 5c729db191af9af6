package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Durations as people read them. */
class AgesTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 ms",
        "PT0.85S, 850 ms",
        "PT1S, 1 s",
        "PT1.59S, 1.5 s",
        "PT59.9S, 59 s",
        "PT3M12S, 3 min 12 s",
        "PT3M, 3 min",
        "PT1H, 1 h",
        "PT2H11M15S, 2 h 11 min",
        "P400D, 400 d",
        "PT123H, 5 d 3 h",
        "PT-123H, 5 d 3 h"
    })
    void theTwoLargestUnitsAreTold(Duration duration, String text) {
        assertThat(Ages.text(duration)).isEqualTo(text);
    }
}
