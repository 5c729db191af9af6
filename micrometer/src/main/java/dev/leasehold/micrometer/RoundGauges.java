package dev.leasehold.micrometer;

import dev.leasehold.Grid;
import dev.leasehold.Slot;
import dev.leasehold.micrometer.BoundRounds.Look;
import dev.leasehold.rounds.RoundContext;
import dev.leasehold.rounds.RoundStatus;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** What is the case with the rounds that are bound, there while they are. Thread-safe. */
final class RoundGauges {

    private final MeterRegistry registry;
    private final BoundRounds bound = new BoundRounds();
    private final Map<String, List<Meter>> gauges = new HashMap<>();
    private final Map<String, Duration> periods = new ConcurrentHashMap<>();

    RoundGauges(MeterRegistry registry) {
        this.registry = registry;
    }

    synchronized void bind(Object rounds, Supplier<List<RoundStatus>> status) {
        if (bound.add(rounds, status, now())) {
            status.get().forEach(one -> gauges.computeIfAbsent(one.leaseName(), lease -> register(lease, tags(one))));
        }
    }

    synchronized void unbind(Object rounds) {
        bound.remove(rounds);
        gauges.entrySet().removeIf(entry -> {
            boolean isGone = bound.find(entry.getKey()).isEmpty();
            if (isGone) {
                entry.getValue().forEach(registry::remove);
            }
            return isGone;
        });
    }

    /** What a run's lease knows of the slot before the next one: of an uneven schedule the time between these two. */
    void started(RoundContext context) {
        Slot slot = context.lease().slot().orElseThrow();
        if (!context.extra() && slot.nextIn().compareTo(Slot.NO_MORE) < 0) {
            periods.put(context.lease().name(), slot.late().plus(slot.nextIn()));
        }
    }

    /** A round of node scope has its successes on each node; the tag is empty for the others. */
    private static Tags tags(RoundStatus status) {
        String atNode = status.leaseName().substring(status.round().length());
        return Tags.of("round", status.round(), "node", atNode.isEmpty() ? "" : atNode.substring(1));
    }

    private List<Meter> register(String lease, Tags tags) {
        return List.of(
                number("running", lease, look -> look.status().running() ? 1 : 0)
                        .description("1 while a run of it is under way on this instance, else 0")
                        .tags(tags)
                        .register(registry),
                number("healthy", lease, look -> look.status().isHealthy() ? 1 : 0)
                        .description("0 while this instance finds something wrong with it, else 1")
                        .tags(tags)
                        .register(registry),
                number("paused", lease, look -> look.status().pauseReason().isPresent() ? 1 : 0)
                        .description("1 if it was paused at this instance's last look, else 0")
                        .tags(tags)
                        .register(registry),
                seconds("success.age", lease, this::sinceSuccess)
                        .description("since its last success on this instance; until there is one, since it was bound")
                        .tags(tags)
                        .register(registry),
                seconds("due.in", lease, this::untilDue)
                        .description(
                                "until its next slot, or the next try of a failed one, negative once that has come; NaN while unknown")
                        .tags(tags)
                        .register(registry),
                seconds("period", lease, look -> period(look, lease))
                        .description(
                                "from slot to slot; of a schedule without a period, from the slot of the last run begun on this"
                                        + " instance to the next slot, and NaN before the first")
                        .tags(tags)
                        .register(registry));
    }

    private Gauge.Builder<Supplier<Number>> number(String name, String lease, ToDoubleFunction<Look> value) {
        return Gauge.builder(
                "leasehold.rounds." + name,
                () -> bound.find(lease).stream().mapToDouble(value).findFirst().orElse(Double.NaN));
    }

    private TimeGauge.Builder<Supplier<Number>> seconds(
            String name, String lease, Function<Look, Optional<Duration>> value) {
        return TimeGauge.builder(
                "leasehold.rounds." + name,
                () -> bound.find(lease).flatMap(value).map(Seconds::of).orElse(Double.NaN),
                TimeUnit.SECONDS);
    }

    private Optional<Duration> sinceSuccess(Look look) {
        Duration age = Duration.between(look.status().lastSuccess().orElse(look.since()), now());
        return Optional.of(age.isNegative() ? Duration.ZERO : age); // a clock was set back
    }

    private Optional<Duration> period(Look look, String lease) {
        return look.status().schedule() instanceof Grid grid
                ? Optional.of(grid.period())
                : Optional.ofNullable(periods.get(lease));
    }

    private Optional<Duration> untilDue(Look look) {
        return look.status().nextDue().map(due -> Duration.between(now(), due));
    }

    private Instant now() {
        return Instant.ofEpochMilli(registry.config().clock().wallTime());
    }
}
