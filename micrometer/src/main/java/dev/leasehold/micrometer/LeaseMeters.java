package dev.leasehold.micrometer;

import dev.leasehold.LossReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumSet;

/** What is counted and timed about leases, of all names together. Thread-safe. */
final class LeaseMeters {

    private final Counter gained;
    private final Counter takenOver;
    private final Counter refused;
    private final Counter failed;
    private final Counter released;
    private final Counter renewed;
    private final Timer renewal;
    private final Timer failedRenewal;
    private final CountersBy<LossReason> lost;

    LeaseMeters(MeterRegistry registry) {
        this.gained = counter("gained", "leases acquired").register(registry);
        this.takenOver = counter(
                        "taken.over", "of the leases gained, those whose holder before had died without a release")
                .register(registry);
        this.refused = counter("refused", "attempts answered busy: another holds the lease")
                .register(registry);
        this.failed = counter("attempts.failed", "attempts that ended in an error, or whose outcome is unknown")
                .register(registry);
        this.released = counter("released", "leases released by their holder").register(registry);
        this.renewed = counter("renewed", "renewals of a lease: ten leases renewed by one statement are ten")
                .register(registry);
        this.renewal = timer("renewal", "statements that renewed leases, from the send to the answer")
                .register(registry);
        this.failedRenewal = timer(
                        "renewal.failed", "statements that should have renewed leases and failed, to the failure")
                .register(registry);
        this.lost = new CountersBy<>(
                LossReason.class,
                EnumSet.allOf(LossReason.class),
                reason -> counter("lost", "leases lost, by what was found in their place")
                        .tag("reason", reason)
                        .register(registry));
    }

    private static Counter.Builder counter(String name, String meaning) {
        return Counter.builder("leasehold.leases." + name).description(meaning);
    }

    private static Timer.Builder timer(String name, String meaning) {
        return Timer.builder("leasehold.leases." + name).description(meaning);
    }

    void acquired(boolean isTakenOver) {
        gained.increment();
        if (isTakenOver) {
            takenOver.increment();
        }
    }

    void refused() {
        refused.increment();
    }

    void failed() {
        failed.increment();
    }

    void lost(LossReason reason) {
        lost.add(reason, 1);
    }

    void released() {
        released.increment();
    }

    void renewed(int count, Duration took) {
        renewed.increment(count);
        renewal.record(took);
    }

    void renewalFailed(Duration took) {
        failedRenewal.record(took);
    }
}
