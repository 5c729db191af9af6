package dev.leasehold.watch.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.watch.testing.Properties;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MailPropertiesTest {

    private static MailProperties bound(Map<String, String> given) {
        return Properties.bound("watch.mail", MailProperties.class, given);
    }

    @Test
    void defaults() {
        MailProperties properties = bound(Map.of());

        assertThat(properties)
                .isEqualTo(new MailProperties(
                        Duration.ofMinutes(15),
                        Duration.ofHours(23),
                        Duration.ofMinutes(10),
                        null,
                        Duration.ofSeconds(5),
                        100,
                        8));
        assertThat(properties.server()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 127.0.0.1, 53", "127.0.0.1:5353, 127.0.0.1, 5353", "[::1]:54, ::1, 54"})
    void resolverIsAHostAndMaybeAPort(String resolver, String host, int port) {
        assertThat(bound(Map.of("watch.mail.resolver", resolver)).server())
                .isEqualTo(new InetSocketAddress(host, port));
    }

    @ParameterizedTest
    @CsvSource({
        "period, 1ms, watch.mail.period is PT0.001S; but must be at least 100ms",
        "recheck-after, 0s, watch.mail.recheck-after is PT0S; but must be longer than zero",
        "retry-after, 24h, watch.mail.retry-after is PT24H; but must be from 0s to watch.mail.recheck-after; which is PT23H",
        "resolver, a b, watch.mail.resolver is a b; but must be host or host:port; an IPv6 address in brackets",
        "resolver, host:99999, watch.mail.resolver is host:99999; but must be host or host:port; an IPv6 address in brackets",
        "resolver, host/x, watch.mail.resolver is host/x; but must be host or host:port; an IPv6 address in brackets",
        "timeout, 2m, watch.mail.timeout is PT2M; but must be from 10ms to 1m",
        "batch, 0, watch.mail.batch is 0; but must be from 1 to 10000",
        "parallelism, 0, watch.mail.parallelism is 0; but must be from 1 to 256",
    })
    void badValueIsRefusedByNameValueAndRule(String name, String value, String reason) {
        assertThat(Properties.refusal("watch.mail", MailProperties.class, name, value))
                .isEqualTo(reason.replace(';', ','));
    }
}
