package dev.leasehold.watch.domains;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.watch.values.InvalidValueException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DomainNameTest {

    @ParameterizedTest
    @CsvSource({
        "example.org, example.org",
        "EXAMPLE.Org., example.org",
        "bücher.example, xn--bcher-kva.example",
        "BÜCHER.example, xn--bcher-kva.example",
        "xn--bcher-kva.example, xn--bcher-kva.example",
        "a-b.1x.example, a-b.1x.example",
    })
    void nameIsStoredInOneForm(String written, String stored) {
        assertThat(DomainName.parse(written).text()).isEqualTo(stored);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "localhost",
                "a..example",
                ".example.org",
                "example.org..",
                "-a.example",
                "a-.example",
                "under_score.example",
                "192.0.2.1",
                "https://example.org",
                "example.org/",
                "anna@example.org",
                "a b.example",
                "0123456789012345678901234567890123456789012345678901234567890123.example",
            })
    void anythingElseIsRefusedWithTheRule(String written) {
        assertThatThrownBy(() -> DomainName.parse(written))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("name is '")
                .hasMessageContaining("must");
    }
}
