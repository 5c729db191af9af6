package dev.leasehold.watch.sweep;

import dev.leasehold.watch.jobs.Settings;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the sweep.
 *
 * @param period the time from one round to the next
 * @param resultRetention how long results of uptime checks are kept
 * @param instanceRetention how long an instance is kept after its last beat
 * @param batchSize how many rows one transaction deletes at most
 * @param budget how long one round goes on starting batches; what is left is for the next
 * @param lockTimeout how long a batch waits for a lock on its table
 */
@ConfigurationProperties("watch.sweep")
record SweepProperties(
        @DefaultValue("1h") Duration period,
        @DefaultValue("30d") Duration resultRetention,
        @DefaultValue("1d") Duration instanceRetention,
        @DefaultValue("1000") int batchSize,
        @DefaultValue("1m") Duration budget,
        @DefaultValue("1s") Duration lockTimeout) {

    private static final Settings SETTINGS = new Settings("watch.sweep");

    SweepProperties {
        SETTINGS.require(period.compareTo(Duration.ofMillis(100)) >= 0, "period", period, "at least 100ms");
        SETTINGS.require(
                resultRetention.compareTo(Duration.ofMinutes(1)) >= 0,
                "result-retention",
                resultRetention,
                "at least 1m");
        SETTINGS.require(
                instanceRetention.compareTo(Duration.ofMinutes(10)) >= 0,
                "instance-retention",
                instanceRetention,
                "at least 10m");
        SETTINGS.require(batchSize >= 1 && batchSize <= 100_000, "batch-size", batchSize, "from 1 to 100000");
        SETTINGS.require(budget.compareTo(Duration.ofMillis(100)) >= 0, "budget", budget, "at least 100ms");
        SETTINGS.require(
                lockTimeout.compareTo(Duration.ofMillis(1)) >= 0 && lockTimeout.compareTo(Duration.ofMinutes(1)) <= 0,
                "lock-timeout",
                lockTimeout,
                "from 1ms to 1m");
    }
}
