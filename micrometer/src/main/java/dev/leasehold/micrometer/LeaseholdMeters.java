package dev.leasehold.micrometer;

import dev.leasehold.LeaseMetrics;
import dev.leasehold.Leases;
import dev.leasehold.LossReason;
import dev.leasehold.rounds.ManualRounds;
import dev.leasehold.rounds.RoundContext;
import dev.leasehold.rounds.RoundListener;
import dev.leasehold.rounds.RoundRun;
import dev.leasehold.rounds.RoundStatus;
import dev.leasehold.rounds.Rounds;
import dev.leasehold.rounds.SkipReason;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The meters of leases and rounds in one registry; make one for each registry.
 *
 * <p>What happens is counted and timed once this is given to {@link dev.leasehold.LeasesBuilder#metrics} and to {@link
 * dev.leasehold.rounds.RoundsBuilder#listener}. What is the case at a moment is asked of the leases and rounds that are bound
 * here; binding rounds also registers their counters, at zero. Leases and rounds do not tell of their own end: unbind rounds
 * when they are stopped, and leases when they are closed, and their gauges go. Counters stay.
 *
 * <p>Thread-safe; does no I/O.
 */
public final class LeaseholdMeters implements LeaseMetrics, RoundListener {

    private final MeterRegistry registry;
    private final LeaseMeters leases;
    private final LeaseGauges leaseGauges;
    private final RoundGauges roundGauges;
    private final Map<String, RoundMeters> rounds = new ConcurrentHashMap<>();

    /** Registers the counters and timers of leases. */
    public LeaseholdMeters(MeterRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry");
        this.leases = new LeaseMeters(registry);
        this.leaseGauges = new LeaseGauges(registry);
        this.roundGauges = new RoundGauges(registry);
    }

    /** Has the gauges of leases look at these too. Binding the same ones again changes nothing. */
    public void bind(Leases some) {
        leaseGauges.bind(some);
    }

    /** Undoes {@link #bind(Leases)}. */
    public void unbind(Leases some) {
        leaseGauges.unbind(some);
    }

    /**
     * Registers the gauges and counters of these rounds. Binding the same ones again changes nothing; where others have a round
     * of the same name on the same node, the gauges are of those bound last. Those of stopped rounds tell nothing any more.
     */
    public void bind(Rounds some) {
        bind(some, () -> some.isStopped() ? List.of() : some.status());
    }

    /** Undoes {@link #bind(Rounds)}, but for the counters. */
    public void unbind(Rounds some) {
        roundGauges.unbind(some);
    }

    /** As {@link #bind(Rounds)}. */
    public void bind(ManualRounds some) {
        bind(some, some::status);
    }

    /** As {@link #unbind(Rounds)}. */
    public void unbind(ManualRounds some) {
        roundGauges.unbind(some);
    }

    private void bind(Object some, Supplier<List<RoundStatus>> status) {
        status.get().forEach(one -> metersOf(one.round()));
        roundGauges.bind(some, status);
    }

    private RoundMeters metersOf(String round) {
        return rounds.computeIfAbsent(round, name -> new RoundMeters(registry, name));
    }

    @Override
    public void acquired(String name, boolean takenOver) {
        leases.acquired(takenOver);
    }

    @Override
    public void refused(String name) {
        leases.refused();
    }

    @Override
    public void failed(String name) {
        leases.failed();
    }

    @Override
    public void lost(String name, LossReason reason) {
        leases.lost(reason);
    }

    @Override
    public void released(String name) {
        leases.released();
    }

    @Override
    public void renewed(int count, Duration took) {
        leases.renewed(count, took);
    }

    @Override
    public void renewalFailed(int count, Duration took) {
        leases.renewalFailed(took);
    }

    @Override
    public void started(RoundContext context) {
        roundGauges.started(context);
    }

    @Override
    public void ended(RoundRun run) {
        metersOf(run.round()).ended(run);
    }

    @Override
    public void died(RoundRun run) {
        metersOf(run.round()).died();
    }

    @Override
    public void skipped(String round, long slots, SkipReason reason) {
        metersOf(round).skipped(slots, reason);
    }
}
