package dev.leasehold.watch.start;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseUrlTest {

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://db:5432/leasehold, jdbc:postgresql://db:5432/leasehold",
        "jdbc:postgresql://db/leasehold?user=anna&password=secret, jdbc:postgresql://db/leasehold",
        "postgres://anna:secret@db/leasehold, postgres://db/leasehold",
        "postgres://anna:sec@ret@db/leasehold, postgres://db/leasehold",
        "postgres://anna:sec/ret@db/leasehold, postgres://db/leasehold",
        "postgres://anna:sec?ret@db/leasehold, postgres://(not shown)",
        "jdbc:postgresql://db/leasehold?password=sec@ret, jdbc:postgresql://(not shown)",
    })
    void nothingSecretIsShown(String url, String shown) {
        assertThat(DatabaseUrl.shown(url)).isEqualTo(shown);
    }
}
