package dev.leasehold.watch.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpUrlTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:8081/up",
                "HTTPS://example.org",
                "https://[2001:db8::1]:8443/a?b=c",
                "http://xn--bcher-kva.example/"
            })
    void urlWithHostIsAccepted(String url) {
        assertThat(HttpUrl.parse("url", url)).hasToString(url);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|http://",
                "example.org/up|http://",
                "ftp://example.org/|http://",
                "javascript:alert(1)|http://",
                "file:///etc/passwd|http://",
                "http:///up|host",
                "http://bücher.example/|host",
                "http://under_score.example/|host",
                "http://example.org:0/|port",
                "http://example.org:70000/|port",
                "http://example.org/#part|fragment",
                "http://exa mple.org/|URL",
            })
    void anythingElseIsRefusedWithTheRule(String url, String rule) {
        assertThatThrownBy(() -> HttpUrl.parse("webhook", url))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("webhook is '" + url + "': must")
                .hasMessageContaining(rule);
    }

    @Test
    void passwordIsRefusedAndNotRepeated() {
        assertThatThrownBy(() -> HttpUrl.parse("url", "https://anna:secret@example.org/"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("must not carry a user or a password")
                .hasMessageNotContaining("secret");
    }
}
