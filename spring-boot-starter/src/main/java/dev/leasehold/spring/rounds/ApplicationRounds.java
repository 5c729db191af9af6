package dev.leasehold.spring.rounds;

import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.RoundRun;
import dev.leasehold.rounds.RoundStatus;
import dev.leasehold.rounds.Rounds;
import dev.leasehold.rounds.RoundsBuilder;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/**
 * The rounds of the application, its beans of the type {@link Round} and its methods with {@link dev.leasehold.spring.Round}:
 * they start once all else has started, and stop before all else stops, so that what runs then still has its database, and its
 * lease is released before the pool is closed. Thread-safe.
 */
public final class ApplicationRounds implements SmartLifecycle, SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(ApplicationRounds.class);

    /**
     * How they are stopped.
     *
     * @param timeout how long to wait for runs
     * @param grace how long to wait once more after an interrupt; not interrupted if empty
     */
    record Stop(Duration timeout, Optional<Duration> grace) {}

    private final Supplier<List<Round>> found;
    private final Supplier<RoundsBuilder> builder;
    private final List<RoundsObserver> observers;
    private final Stop stop;
    private final boolean enabled;
    private @Nullable List<Round> rounds;
    private @Nullable Rounds running;

    ApplicationRounds(
            Supplier<List<Round>> found,
            Supplier<RoundsBuilder> builder,
            List<RoundsObserver> observers,
            Stop stop,
            boolean enabled) {
        this.found = found;
        this.builder = builder;
        this.observers = observers;
        this.stop = stop;
        this.enabled = enabled;
    }

    /** What this instance knows of its rounds; empty while none run. */
    public synchronized List<RoundStatus> status() {
        return running == null ? List.of() : running.status();
    }

    /**
     * One extra run of a round on this instance: see {@link Rounds#runNow}.
     *
     * @throws IllegalStateException if the rounds do not run here
     * @throws IllegalArgumentException if there is no round of that name
     */
    public synchronized CompletableFuture<Optional<RoundRun>> runNow(String round) {
        if (running == null) {
            throw new IllegalStateException("no rounds run here, so round " + round + " cannot");
        }
        return running.runNow(round);
    }

    /** The rounds are described, and what is wrong with them is told, before anything starts. */
    @Override
    public void afterSingletonsInstantiated() {
        rounds();
    }

    private synchronized List<Round> rounds() {
        if (rounds == null) {
            List<Round> all = found.get();
            refuseDoubles(all);
            rounds = all;
        }
        return rounds;
    }

    private static void refuseDoubles(List<Round> rounds) {
        Set<String> names = new HashSet<>();
        for (Round round : rounds) {
            if (!names.add(round.name())) {
                throw new IllegalStateException("there are two rounds of the name " + round.name());
            }
        }
    }

    @Override
    public synchronized void start() {
        if (running != null || rounds().isEmpty()) {
            return;
        }
        List<String> names = rounds().stream().map(Round::name).toList();
        if (!enabled) {
            log.info("rounds {} are not started on this instance: leasehold.rounds.enabled is false", names);
            return;
        }
        RoundsBuilder described = builder.get();
        rounds().forEach(described::add);
        Rounds started = described.start();
        running = started;
        observers.forEach(observer -> observer.started(started));
        log.info("rounds {} are started", names);
    }

    @Override
    public void stop() {
        Rounds ending = taken();
        if (ending == null) {
            return;
        }
        // Says itself which ones did not end.
        List<String> unused = stop.grace().isPresent()
                ? ending.stop(stop.timeout(), stop.grace().get())
                : ending.stop(stop.timeout());
        observers.forEach(observer -> observer.stopped(ending));
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
}
