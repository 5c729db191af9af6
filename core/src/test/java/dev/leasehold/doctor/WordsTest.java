package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever the database says becomes one short line, and durations are for people. */
class WordsTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 ms",
        "PT-1S, 0 ms",
        "PT0.999S, 999 ms",
        "PT1S, 1 s",
        "PT59.9S, 59 s",
        "PT1M, 1 min",
        "PT3M12S, 3 min 12 s",
        "PT1H, 1 h",
        "PT2H5M59S, 2 h 5 min",
        "P3DT4H, 3 d 4 h",
        "P400D, 400 d"
    })
    void aDurationHasTwoUnitsAtMost(Duration duration, String words) {
        assertThat(Words.duration(duration)).isEqualTo(words);
    }

    @Test
    void textIsOneLineWithoutWhatATerminalObeys() {
        assertThat(Words.query("select\n\t 1\r\n -- \u001b]0;title\u0007 \u009b31m"))
                .isEqualTo("select 1 -- ?]0;title? ?31m");
        assertThat(Words.name("left\u202eright \u2028 x\ud800")).isEqualTo("left?right x?");
        assertThat(Words.name("naïve 🐘")).isEqualTo("naïve 🐘");
    }

    @Test
    void longTextIsCutBetweenCharacters() {
        assertThat(Words.query("🐘".repeat(80))).isEqualTo("🐘".repeat(80));
        assertThat(Words.query("🐘".repeat(81))).isEqualTo("🐘".repeat(79) + "…");
    }

    @Test
    void sqlCanBeRunAsItIs() {
        assertThat(Words.terminate(List.of(7))).isEqualTo("`select pg_terminate_backend(7);`");
        assertThat(Words.terminate(List.of(7, 8)))
                .isEqualTo("`select pg_terminate_backend(pid) from unnest(array[7, 8]) as pid;`");
        assertThat(Words.identifier("a\"b")).isEqualTo("\"a\"\"b\"");
    }
}
