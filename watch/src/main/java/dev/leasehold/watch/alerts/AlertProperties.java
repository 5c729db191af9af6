package dev.leasehold.watch.alerts;

import dev.leasehold.watch.jobs.Settings;
import dev.leasehold.watch.values.HttpUrl;
import dev.leasehold.watch.values.InvalidValueException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the alert evaluation.
 *
 * @param period the time from one round to the next
 * @param freshFor how old a result may be and still count; at least the period, so that each result is looked at by a
 *     round while it counts
 * @param webhookUrl where transitions of monitors without a webhook of their own are delivered; none if absent
 * @param webhookTimeout the total deadline of one delivery
 * @param webhooksAtOnce how many deliveries go on at the same time
 * @param retryFirst the wait after the first delivery that failed; it doubles with each
 * @param retryMost the longest wait between two deliveries
 */
@ConfigurationProperties("watch.alerts")
record AlertProperties(
        @DefaultValue("30s") Duration period,
        @DefaultValue("40s") Duration freshFor,
        @Nullable String webhookUrl,
        @DefaultValue("10s") Duration webhookTimeout,
        @DefaultValue("32") int webhooksAtOnce,
        @DefaultValue("30s") Duration retryFirst,
        @DefaultValue("1h") Duration retryMost) {

    private static final Settings SETTINGS = new Settings("watch.alerts");

    AlertProperties {
        SETTINGS.require(period.compareTo(Duration.ofMillis(100)) >= 0, "period", period, "at least 100ms");
        SETTINGS.require(
                freshFor.compareTo(period) >= 0,
                "fresh-for",
                freshFor,
                "at least watch.alerts.period, which is " + period);
        SETTINGS.require(
                webhookUrl == null || isHttpUrl(webhookUrl),
                "webhook-url",
                "(not shown)",
                "an http or https URL with a host, without user, password or fragment");
        SETTINGS.require(
                webhookTimeout.compareTo(Duration.ofMillis(100)) >= 0
                        && webhookTimeout.compareTo(Duration.ofMinutes(1)) <= 0,
                "webhook-timeout",
                webhookTimeout,
                "from 100ms to 1m");
        SETTINGS.require(
                webhooksAtOnce >= 1 && webhooksAtOnce <= 1000, "webhooks-at-once", webhooksAtOnce, "from 1 to 1000");
        SETTINGS.require(retryFirst.compareTo(Duration.ZERO) > 0, "retry-first", retryFirst, "longer than zero");
        SETTINGS.require(
                retryMost.compareTo(retryFirst) >= 0,
                "retry-most",
                retryMost,
                "at least watch.alerts.retry-first, which is " + retryFirst);
    }

    // Who knows the URL of a webhook may post to it: it is shown nowhere.
    private static boolean isHttpUrl(String text) {
        try {
            HttpUrl.parse("watch.alerts.webhook-url", text);
            return true;
        } catch (InvalidValueException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return "AlertProperties[period=" + period + ", freshFor=" + freshFor + ", webhookUrl=(not shown)]";
    }
}
