package dev.leasehold.watch.uptime;

import dev.leasehold.watch.jobs.Settings;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the uptime checks.
 *
 * @param period the time from one round to the next; a round that takes longer skips slots
 * @param parallelism how many monitors are asked at a time. A round takes at most (monitors / parallelism + 1) times
 *     the longest time-out among them: raise it when many targets may hang at once
 * @param bodyLimit how much of a body is read before it counts as read
 */
@ConfigurationProperties("watch.uptime")
record UptimeProperties(
        @DefaultValue("10s") Duration period,
        @DefaultValue("8") int parallelism,
        @DefaultValue("1MB") DataSize bodyLimit) {

    private static final Settings SETTINGS = new Settings("watch.uptime");

    UptimeProperties {
        SETTINGS.require(period.compareTo(Duration.ofMillis(100)) >= 0, "period", period, "at least 100ms");
        SETTINGS.require(parallelism >= 1 && parallelism <= 256, "parallelism", parallelism, "from 1 to 256");
        SETTINGS.require(bodyLimit.toBytes() >= 1, "body-limit", bodyLimit, "at least 1B");
    }
}
