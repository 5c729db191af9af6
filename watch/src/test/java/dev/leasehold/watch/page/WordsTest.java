package dev.leasehold.watch.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {

    @ParameterizedTest
    @CsvSource({
        "PT0.012S, 12 ms",
        "PT1S, 1 s",
        "PT59.999S, 59 s",
        "PT60S, 1 min",
        "PT3M7S, 3 min 7 s",
        "PT1H, 1 h",
        "PT23H59M59S, 23 h 59 min",
        "P1D, 1 d",
        "P3DT5H20M, 3 d 5 h",
        "P36524999D, 36524999 d",
        "PT2562047788H, without end",
    })
    void spanIsSaidInAtMostTwoUnits(Duration span, String words) {
        assertThat(Words.span(span)).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-01T00:00:00Z, 12 s ago",
        "2026-01-01T00:00:11.500Z, just now",
        "2026-01-01T00:00:12.999Z, just now",
        "2026-01-01T00:01:12Z, in 1 min",
        "+999999999-12-31T23:59:59Z, never",
        "-999999999-01-01T00:00:00Z, since ever",
    })
    void momentIsSaidFromNow(Instant then, String words) {
        assertThat(Words.ago(then, Instant.parse("2026-01-01T00:00:12Z"))).isEqualTo(words);
    }
}
