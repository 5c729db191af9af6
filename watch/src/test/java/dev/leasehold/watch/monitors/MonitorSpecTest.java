package dev.leasehold.watch.monitors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.watch.values.InvalidValueException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MonitorSpecTest {

    private static final String URL = "https://example.org/up";

    @Test
    void timeoutIsFiveSecondsUnlessSaid() {
        assertThat(MonitorSpec.parse(" shop ", URL, null, null).timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(MonitorSpec.parse(" shop ", URL, null, null).name()).isEqualTo("shop");
    }

    @ParameterizedTest
    @CsvSource({"100ms, 100", "60s, 60000", "PT1.5S, 1500", "250, 250", "1m, 60000"})
    void timeoutIsReadInEveryUsualForm(String written, long millis) {
        assertThat(MonitorSpec.parse("shop", URL, written, null).timeout()).hasMillis(millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"99ms", "60001", "0", "-5s", "PT-5S", "soon", "", "5 s", "9223372036854775807s"})
    void timeoutOutOfBoundsIsRefused(String written) {
        assertThatThrownBy(() -> MonitorSpec.parse("shop", URL, written, null))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("timeout is '" + written + "': must");
    }

    @Test
    void nameHasOneToTwoHundredReadableCharacters() {
        assertThat(MonitorSpec.parse("x".repeat(200), URL, null, null).name()).hasSize(200);
        for (String name : new String[] {"", "  ", "x".repeat(201), "a\u0000b", "a\nb", "a\uD800b"}) {
            assertThatThrownBy(() -> MonitorSpec.parse(name, URL, null, null))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageStartingWith("name is '");
        }
    }

    @Test
    void webhookIsCheckedAsAUrlAndNeverShown() {
        for (String webhook : new String[] {
            "mailto:secret@example.org",
            "https://hooks.example/secret path",
            "https://hooks.example/secret#part",
            "https://hooks.example:0/secret",
            "https:/secret",
            "https://hooks.example/secret/" + "x".repeat(2000)
        }) {
            assertThatThrownBy(() -> MonitorSpec.parse("shop", URL, null, webhook))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageStartingWith("webhook is '(not shown)': must")
                    .hasMessageNotContaining("secret");
        }
    }
}
