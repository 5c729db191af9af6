package dev.leasehold.watch.mail;

import dev.leasehold.watch.jobs.Settings;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the mail security checks.
 *
 * @param period the time from one round to the next
 * @param recheckAfter how old a domain's last check must be for the next one
 * @param retryAfter the same where a look-up failed: by default it is due in the next round
 * @param resolver the DNS server to ask, as {@code host} or {@code host:port}; the system's if absent
 * @param timeout the deadline of one look-up
 * @param batch how many domains one round checks at most, those that have waited longest first
 * @param parallelism how many domains are checked at a time
 */
@ConfigurationProperties("watch.mail")
record MailProperties(
        @DefaultValue("15m") Duration period,
        @DefaultValue("23h") Duration recheckAfter,
        @DefaultValue("10m") Duration retryAfter,
        @Nullable String resolver,
        @DefaultValue("5s") Duration timeout,
        @DefaultValue("100") int batch,
        @DefaultValue("8") int parallelism) {

    private static final Settings SETTINGS = new Settings("watch.mail");

    MailProperties {
        SETTINGS.require(period.compareTo(Duration.ofMillis(100)) >= 0, "period", period, "at least 100ms");
        SETTINGS.require(recheckAfter.compareTo(Duration.ZERO) > 0, "recheck-after", recheckAfter, "longer than zero");
        SETTINGS.require(
                retryAfter.compareTo(Duration.ZERO) >= 0 && retryAfter.compareTo(recheckAfter) <= 0,
                "retry-after",
                retryAfter,
                "from 0s to watch.mail.recheck-after, which is " + recheckAfter);
        SETTINGS.require(
                resolver == null || isServer(resolver),
                "resolver",
                String.valueOf(resolver),
                "host or host:port, an IPv6 address in brackets");
        SETTINGS.require(
                timeout.compareTo(Duration.ofMillis(10)) >= 0 && timeout.compareTo(Duration.ofMinutes(1)) <= 0,
                "timeout",
                timeout,
                "from 10ms to 1m");
        SETTINGS.require(batch >= 1 && batch <= 10_000, "batch", batch, "from 1 to 10000");
        SETTINGS.require(parallelism >= 1 && parallelism <= 256, "parallelism", parallelism, "from 1 to 256");
    }

    /** The server to ask, its name looked up anew with each call; null for the system's. */
    @Nullable
    InetSocketAddress server() {
        if (resolver == null) {
            return null;
        }
        URI uri = URI.create("dns://" + resolver);
        return new InetSocketAddress(uri.getHost(), uri.getPort() == -1 ? 53 : uri.getPort());
    }

    private static boolean isServer(String text) {
        try {
            URI uri = URI.create("dns://" + text);
            return uri.getHost() != null
                    && uri.getPort() != 0
                    && uri.getPort() <= 65535
                    && uri.getPath().isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
