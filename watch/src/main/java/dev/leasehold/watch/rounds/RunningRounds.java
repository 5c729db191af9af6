package dev.leasehold.watch.rounds;

import dev.leasehold.Leases;
import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.RoundStatus;
import dev.leasehold.rounds.Rounds;
import dev.leasehold.watch.WatchProperties;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Starts every {@link Round} bean once all else has started, and stops them before all else stops: a round that runs
 * still has its database, and its lease is released by the time the leases close.
 */
@Component
public final class RunningRounds implements SmartLifecycle {

    private final ObjectProvider<Leases> leases;
    private final List<Round> rounds;
    private final WatchProperties properties;
    private @Nullable Rounds running;

    RunningRounds(ObjectProvider<Leases> leases, ObjectProvider<Round> rounds, WatchProperties properties) {
        this.leases = leases;
        this.rounds = rounds.orderedStream().toList();
        this.properties = properties;
    }

    /** What this instance knows of its rounds; empty while none run. */
    public synchronized List<RoundStatus> status() {
        return running == null ? List.of() : running.status();
    }

    @Override
    public synchronized void start() {
        if (running != null || rounds.isEmpty() || !properties.runRounds()) {
            return;
        }
        var builder = Rounds.on(leases.getObject()).node(properties.node());
        for (Round round : rounds) {
            builder = builder.add(round);
        }
        running = builder.start();
    }

    @Override
    public void stop() {
        Rounds ending = taken();
        if (ending != null) {
            // says itself which ones did not end
            ending.stop(properties.stopTimeout());
        }
    }

    private synchronized @Nullable Rounds taken() {
        Rounds ending = running;
        running = null;
        return ending;
    }

    @Override
    public synchronized boolean isRunning() {
        return running != null;
    }

    @Override
    public int getPhase() {
        return SmartLifecycle.DEFAULT_PHASE;
    }
}
